package xdscope;

import com.dylibso.chicory.compiler.InterpreterFallback;
import com.dylibso.chicory.compiler.MachineFactoryCompiler;
import com.dylibso.chicory.runtime.HostFunction;
import com.dylibso.chicory.runtime.ImportValues;
import com.dylibso.chicory.runtime.Instance;
import com.dylibso.chicory.runtime.Machine;
import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.FunctionImport;
import com.dylibso.chicory.wasm.types.FunctionType;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;

/** xdscope.wasm: compiled once; an instance serves one call at a time. */
final class Module {
    private static final int NO_FILE = 8; // errno of WASI

    private static final WasmModule MODULE = read();
    private static final Function<Instance, Machine> MACHINE =
            MachineFactoryCompiler.builder(MODULE).withInterpreterFallback(InterpreterFallback.SILENT).compile();
    private static final ConcurrentLinkedQueue<Instance> IDLE = new ConcurrentLinkedQueue<>();

    private Module() {}

    private static WasmModule read() {
        try (InputStream in = Module.class.getResourceAsStream("xdscope.wasm")) {
            return Parser.parse(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The module needs nothing of a system: every import says that there is no such file. */
    private static HostFunction nothing(FunctionImport wanted) {
        FunctionType type = MODULE.typeSection().getType(wanted.typeIndex());
        return new HostFunction(wanted.module(), wanted.name(), type, (instance, args) -> {
            if (type.returns().isEmpty()) {
                throw new IllegalStateException(wanted.name());
            }
            return new long[] {NO_FILE};
        });
    }

    private static Instance open() {
        ImportValues.Builder imports = ImportValues.builder();
        MODULE.importSection().stream()
                .filter(FunctionImport.class::isInstance)
                .map(FunctionImport.class::cast)
                .forEach(wanted -> imports.addFunction(nothing(wanted)));
        Instance instance = Instance.builder(MODULE)
                .withImportValues(imports.build())
                .withMachineFactory(MACHINE)
                .withStart(false)
                .build();
        instance.export("_initialize").apply();
        return instance;
    }

    /** An instance that traps is thrown away; the next call gets another one. */
    static String call(String name, byte[] request) {
        int status;
        String output;
        try {
            Instance instance = IDLE.poll();
            if (instance == null) {
                instance = open();
            }
            int at = (int) instance.export("xdscope_alloc").apply(request.length)[0];
            if (at == 0) {
                throw new IllegalStateException("no memory for the request");
            }
            instance.memory().write(at, request);
            status = (int) instance.export("xdscope_" + name).apply(at, request.length)[0];
            int data = (int) instance.export("xdscope_output").apply()[0];
            int size = (int) instance.export("xdscope_output_size").apply()[0];
            output = new String(instance.memory().readBytes(data, size), StandardCharsets.UTF_8);
            instance.export("xdscope_free").apply(at);
            IDLE.add(instance);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            throw new XdscopeException("the module stopped, maybe out of memory: " + e.getMessage(), 3);
        }
        if (status > 1) {
            throw new XdscopeException(output, status);
        }
        return output;
    }
}
