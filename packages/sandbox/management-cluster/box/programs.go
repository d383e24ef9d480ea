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
}

type programs struct {
	events  chan<- event
	lock    sync.Mutex
	running map[string]*running
}

type running struct {
	process *os.Process
	ended   chan struct{}
}

// grace is how long a program may take to end before it is killed.
const grace = 10 * time.Second

func newPrograms(events chan<- event) *programs {
	return &programs{events: events, running: map[string]*running{}}
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
	if err := child.Start(); err != nil {
		p.events <- event{Failed: what.Name, Message: err.Error()}
		return
	}
	ended := &running{process: child.Process, ended: make(chan struct{})}
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
	p.lock.Lock()
	found := p.running[name]
	p.lock.Unlock()
	if found != nil {
		end(found)
	}
}

// stopAll ends everything at once: what is last in line must not lose its grace to those before it.
func (p *programs) stopAll() {
	p.lock.Lock()
	all := make([]*running, 0, len(p.running))
	for _, each := range p.running {
		all = append(all, each)
	}
	p.lock.Unlock()
	var group sync.WaitGroup
	for _, each := range all {
		group.Go(func() { end(each) })
	}
	group.Wait()
}

func end(one *running) {
	_ = one.process.Signal(syscall.SIGTERM)
	select {
	case <-one.ended:
	case <-time.After(grace):
		_ = one.process.Kill()
		<-one.ended
	}
}
