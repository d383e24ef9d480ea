package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
)

// noNamespaces is the exit code for a machine that does not let us have what we need.
const noNamespaces = 3

// runOutside starts the box itself in new namespaces and waits for its end. A process namespace makes sure that nothing in it
// outlives the box; the parent-death signal that the box does not outlive us.
func runOutside(directory string) error {
	// The signal comes when the thread that forked ends, so that must be one that stays.
	runtime.LockOSThread()
	// From here on all paths are short: that of a Unix socket may not be longer than 107 bytes.
	if err := os.Chdir(directory); err != nil {
		return err
	}
	lock, err := lockDirectory()
	if err != nil {
		return err
	}
	box := exec.Command("/proc/self/exe", "inside")
	box.Stdin, box.Stdout, box.Stderr = os.Stdin, os.Stdout, os.Stderr
	box.ExtraFiles = []*os.File{lock}
	box.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	if os.Getuid() != 0 {
		// An ordinary user may have namespaces only within a user namespace, where the machine allows that.
		box.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		box.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		box.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	// The box is told to end by the end of its input; a terminal's interrupt reaches it only through that.
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	if err := box.Start(); err != nil {
		if refused(err) {
			fmt.Fprintf(os.Stderr, "none could be made (%v): run as root, or allow user namespaces\n", err)
			os.Exit(noNamespaces)
		}
		return err
	}
	err = box.Wait()
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		os.Exit(max(ended.ExitCode(), 1))
	}
	return err
}

// refused tells whether an error means that this machine gives us no namespaces.
func refused(err error) bool {
	for _, code := range []syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.ENOSPC, syscall.EINVAL, syscall.EUSERS} {
		if errors.Is(err, code) {
			return true
		}
	}
	return false
}
