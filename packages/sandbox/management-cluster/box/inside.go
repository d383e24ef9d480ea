package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"unsafe"
)

// command is one line of standard input.
type command struct {
	Start *program `json:"start,omitempty"`
	Stop  string   `json:"stop,omitempty"`
	Kill  string   `json:"kill,omitempty"`
}

// event is one line of standard output.
type event struct {
	Ready   bool   `json:"ready,omitempty"`
	Started string `json:"started,omitempty"`
	Exited  string `json:"exited,omitempty"`
	Failed  string `json:"failed,omitempty"`
	Message string `json:"message,omitempty"`
}

// lockDescriptor is where the outer process puts the lock of our directory.
const lockDescriptor = 3

func runInside() error {
	// Who reads our events may be gone, and we must still end in order.
	signal.Ignore(syscall.SIGPIPE, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	// Sockets and logs are for our own user only, from the moment they are made.
	syscall.Umask(0o077)
	if err := raiseLoopback(); err != nil {
		return fmt.Errorf("the loopback interface could not be raised: %w", err)
	}
	if err := forward("box.sock"); err != nil {
		return err
	}
	events := make(chan event)
	go func() {
		out := json.NewEncoder(os.Stdout)
		for each := range events {
			_ = out.Encode(each)
		}
	}()
	programs := newPrograms(events, os.NewFile(lockDescriptor, "lock"))
	events <- event{Ready: true}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var told command
		if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
			return fmt.Errorf("a command is no JSON: %w", err)
		}
		switch {
		case told.Start != nil:
			programs.start(*told.Start)
		case told.Kill != "":
			programs.kill(told.Kill)
		default:
			programs.stop(told.Stop)
		}
	}
	programs.stopAll()
	return nil
}

// raiseLoopback brings up the only interface a new network namespace has.
func raiseLoopback() error {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(socket)
	request := struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	_, _, code := syscall.Syscall(syscall.SYS_IOCTL, uintptr(socket), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request)))
	if code != 0 {
		return code
	}
	return nil
}
