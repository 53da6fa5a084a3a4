package xdscope;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What gRPC clients make of an xDS snapshot. The documents are those of the program with --format json. */
public final class Xdscope {
    static final Gson GSON = new Gson();

    private Xdscope() {}

    public record ResourceId(String type, String name) {}

    /**
     * @param level "error", "warning", "note"
     * @param path the field: "virtual_hosts[0].routes[2].match"
     * @param line from 1; null: not known
     * @param clients "go": "NACK", "ACCEPT", "IGNORE", "SKIP", "CRASH"
     */
    public record Finding(String rule, String level, String message, String path, ResourceId resource, String file,
            Integer line, Integer column, Map<String, String> clients) {
        @Override
        public String toString() {
            String where = resource == null ? file
                    : resource.type().substring(resource.type().lastIndexOf('.') + 1) + " \"" + resource.name() + '"';
            return where + (path.isEmpty() ? "" : ": " + path) + ": " + level + ": " + message + " [" + rule + "]";
        }
    }

    /** @param verdict "ACK", "NACK", "CRASH" */
    public record Resource(String type, String name, String verdict, Map<String, String> clients) {}

    /** man/schema/lint.schema.json; raw has all of it. */
    public record Report(List<String> clients, List<Resource> resources, List<Finding> findings, JsonObject raw) {
        public List<Finding> errors() {
            return findings.stream().filter(finding -> finding.level().equals("error")).toList();
        }

        public boolean accepted() {
            return errors().isEmpty();
        }
    }

    /**
     * @param path "/package.Service/Method"
     * @param target "xds:///name", or null
     * @param headers pairs of name and value, or null
     */
    public record Rpc(String path, String target, List<List<String>> headers) {}

    private static JsonObject ask(String name, JsonObject request, Input files, Input old) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        request.add("files", files.entries);
        if (old != null) {
            request.add("old", old.entries);
        }
        bytes.writeBytes((GSON.toJson(request) + "\n").getBytes(StandardCharsets.UTF_8));
        files.contents.forEach(bytes::writeBytes);
        if (old != null) {
            old.contents.forEach(bytes::writeBytes);
        }
        return GSON.fromJson(Module.call(name, bytes.toByteArray()), JsonObject.class);
    }

    /** Would gRPC clients accept the input? */
    public static Report lint(Input input, Options options) {
        JsonObject raw = ask("lint", options.json(), input, null);
        Report report = GSON.fromJson(raw, Report.class);
        return new Report(report.clients(), report.resources(), report.findings(), raw);
    }

    /** Where does an RPC go? man/schema/explain.schema.json. */
    public static JsonObject explain(Input input, Rpc rpc, Options options) {
        JsonObject request = options.json();
        request.add("request", GSON.toJsonTree(rpc));
        return ask("explain", request, input, null);
    }

    /** What changes from old to input? Without old: between two clients. man/schema/diff.schema.json. */
    public static JsonObject diff(Input old, Input input, Options options) {
        return ask("diff", options.json(), input, old);
    }
}
