package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// inUse is the exit code for a directory that somebody else works in.
const inUse = 4

// predecessorPatience is how long one that was told to end may take to do so before we are refused.
const predecessorPatience = 8 * time.Second

// lockDirectory takes the lock that says whose directory the current one is. The lock is the kernel's: it goes with the last process
// that has the file open, however that ends. Every program in the box has it, so that nobody gets at data that are still in use.
func lockDirectory() (*os.File, error) {
	file, err := os.OpenFile("lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(predecessorPatience); ; time.Sleep(50 * time.Millisecond) {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) || time.Now().After(deadline) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder, _ := os.ReadFile("lock")
		fmt.Fprintf(os.Stderr, "it is in use by process %s\n", strings.TrimSpace(string(holder)))
		os.Exit(inUse)
	}
	if err != nil {
		return nil, err
	}
	return file, errors.Join(file.Truncate(0), writeHolder(file))
}

func writeHolder(file *os.File) error {
	_, err := file.WriteAt(fmt.Appendf(nil, "%d\n", os.Getppid()), 0)
	return err
}
