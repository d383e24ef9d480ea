package main

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// program is something to be run; its output goes to a file.
type program struct {
	Name        string   `json:"name"`
	Path        string   `json:"path"`
	Arguments   []string `json:"arguments"`
	Environment []string `json:"environment"`
	Log         string   `json:"log"`
	// Last means that others use it: it is ended after them, and given the time to do it in order.
	Last bool `json:"last"`
}

type programs struct {
	events  chan<- event
	held    *os.File
	lock    sync.Mutex
	running map[string]*running
}

type running struct {
	program
	process *os.Process
	ended   chan struct{}
}

// How long a program may take to end before it is killed. Only what keeps data needs to end in order: the others wait for their
// connections, which are to each other.
const (
	shortGrace = 700 * time.Millisecond
	longGrace  = 10 * time.Second
)

// newPrograms is given a file that every program shall hold open.
func newPrograms(events chan<- event, held *os.File) *programs {
	return &programs{events: events, held: held, running: map[string]*running{}}
}

func (p *programs) start(what program) {
	log, err := os.OpenFile(what.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		p.events <- event{Failed: what.Name, Message: err.Error()}
		return
	}
	defer log.Close()
	child := exec.Command(what.Path, what.Arguments...)
	child.Stdout, child.Stderr = log, log
	child.Env = append(os.Environ(), what.Environment...)
	child.ExtraFiles = []*os.File{p.held}
	if err := child.Start(); err != nil {
		p.events <- event{Failed: what.Name, Message: err.Error()}
		return
	}
	ended := &running{program: what, process: child.Process, ended: make(chan struct{})}
	p.lock.Lock()
	p.running[what.Name] = ended
	p.lock.Unlock()
	p.events <- event{Started: what.Name}
	go func() {
		err := child.Wait()
		p.lock.Lock()
		if p.running[what.Name] == ended {
			delete(p.running, what.Name)
		}
		p.lock.Unlock()
		close(ended.ended)
		message := "exit status 0"
		if err != nil {
			message = err.Error()
		}
		p.events <- event{Exited: what.Name, Message: message}
	}()
}

func (p *programs) stop(name string) {
	if found := p.find(name); found != nil {
		go end(found)
	}
}

func (p *programs) kill(name string) {
	if found := p.find(name); found != nil {
		_ = found.process.Kill()
	}
}

func (p *programs) find(name string) *running {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.running[name]
}

// stopAll ends what uses others first: a server does not end while it is being used.
func (p *programs) stopAll() {
	for _, last := range []bool{false, true} {
		p.lock.Lock()
		var group sync.WaitGroup
		for _, each := range p.running {
			if each.Last == last {
				group.Go(func() { end(each) })
			}
		}
		p.lock.Unlock()
		group.Wait()
	}
}

func end(one *running) {
	grace := shortGrace
	if one.Last {
		grace = longGrace
	}
	_ = one.process.Signal(syscall.SIGTERM)
	select {
	case <-one.ended:
	case <-time.After(grace):
		_ = one.process.Kill()
		<-one.ended
	}
}
