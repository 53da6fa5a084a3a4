package xdscope

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed xdscope.wasm
var wasm []byte

// Error is a request that was not judged.
type Error struct {
	Status  int // 2: the request is wrong; 3: the input cannot be read, or memory ran out
	Message string
}

func (e *Error) Error() string { return "xdscope: " + e.Message }

// engine keeps what it compiles in the user's cache folder where there is one: compiling takes seconds.
var engine = sync.OnceValues(func() (wazero.Runtime, error) {
	ctx, config := context.Background(), wazero.NewRuntimeConfig()
	if folder, err := os.UserCacheDir(); err == nil {
		if cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(folder, "xdscope")); err == nil {
			config = config.WithCompilationCache(cache)
		}
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	_, err := wasi_snapshot_preview1.Instantiate(ctx, runtime)
	return runtime, err
})

var compiled = sync.OnceValues(func() (wazero.CompiledModule, error) {
	runtime, err := engine()
	if err != nil {
		return nil, err
	}
	return runtime.CompileModule(context.Background(), wasm)
})

// module is an instance, which serves one call at a time. A function that is looked up has a stack of its own: it is kept.
type module struct {
	api.Module
	functions map[string]api.Function
}

func (m *module) function(name string) api.Function {
	found := m.functions[name]
	if found == nil {
		found = m.ExportedFunction("xdscope_" + name)
		m.functions[name] = found
	}
	return found
}

// Instances that are not in use.
var idle struct {
	sync.Mutex
	modules []*module
}

func instance() (*module, error) {
	idle.Lock()
	if n := len(idle.modules); n > 0 {
		defer idle.Unlock()
		found := idle.modules[n-1]
		idle.modules = idle.modules[:n-1]
		return found, nil
	}
	idle.Unlock()
	code, err := compiled()
	if err != nil {
		return nil, err
	}
	runtime, _ := engine()
	// No name: there may be several.
	instantiated, err := runtime.InstantiateModule(context.Background(), code,
		wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		return nil, err
	}
	return &module{instantiated, map[string]api.Function{}}, nil
}

// call runs a function of the module. An instance that traps is thrown away; the next call gets another one.
func call(name string, request []byte) ([]byte, error) {
	m, err := instance()
	if err != nil {
		return nil, &Error{3, err.Error()}
	}
	output, status, err := run(m, name, request)
	if err != nil {
		_ = m.Close(context.Background())
		return nil, &Error{3, "the module stopped, maybe out of memory: " + err.Error()}
	}
	idle.Lock()
	idle.modules = append(idle.modules, m)
	idle.Unlock()
	if status > 1 {
		return nil, &Error{status, string(output)}
	}
	return output, nil
}

func run(m *module, name string, request []byte) (output []byte, status int, err error) {
	ctx := context.Background()
	ask := func(name string, args ...uint64) uint64 {
		var result []uint64
		if err == nil {
			result, err = m.function(name).Call(ctx, args...)
		}
		if len(result) == 0 {
			return 0
		}
		return result[0]
	}
	at, size := ask("alloc", uint64(len(request))), uint64(len(request))
	if err == nil && (at == 0 || !m.Memory().Write(uint32(at), request)) {
		err = errors.New("no memory for the request")
	}
	status = int(ask(name, at, size))
	data, length := ask("output"), ask("output_size")
	if err != nil {
		return nil, 0, err
	}
	view, ok := m.Memory().Read(uint32(data), uint32(length))
	if !ok {
		return nil, 0, fmt.Errorf("no output at %d", data)
	}
	output = append(output, view...)
	ask("free", at)
	return output, status, err
}
