package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// forward lets the outside in: who connects to the socket and sends a port number and a line feed talks to that port of the
// box from then on. Unix sockets belong to the file system, not to a network namespace, so its mode says who may.
func forward(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return err
	}
	go func() {
		for {
			outer, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(outer.(*net.UnixConn))
		}
	}()
	return nil
}

func serve(outer *net.UnixConn) {
	defer outer.Close()
	from := bufio.NewReader(outer)
	line, err := from.ReadString('\n')
	if err != nil || len(line) > 6 {
		return
	}
	port, err := strconv.ParseUint(strings.TrimSpace(line), 10, 16)
	if err != nil {
		return
	}
	dialled, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return
	}
	inner := dialled.(*net.TCPConn)
	defer inner.Close()
	var both sync.WaitGroup
	both.Go(func() {
		_, _ = io.Copy(inner, from)
		_ = inner.CloseWrite()
	})
	both.Go(func() {
		_, _ = io.Copy(outer, inner)
		_ = outer.CloseWrite()
	})
	both.Wait()
}
