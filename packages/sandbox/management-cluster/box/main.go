// The box runs the servers of a management cluster where nobody else can reach them: in a network namespace of its own,
// since several of them bind every interface they find. It starts and stops what it is told to on standard input and
// forwards connections from a Unix socket. When whoever started it goes, everything in it goes too, in order.
package main

import (
	"errors"
	"fmt"
	"os"
)

const usage = `usage:
  box run DIR   run in namespaces of its own; commands as JSON lines on standard input, its socket and lock in DIR
  box pki DIR   make the certificates of a management cluster, where they are not there yet`

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "inside" {
		return runInside()
	}
	if len(args) != 2 {
		return errors.New(usage)
	}
	switch args[0] {
	case "run":
		return runOutside(args[1])
	case "pki":
		return makeCertificates(args[1])
	default:
		return errors.New(usage)
	}
}
