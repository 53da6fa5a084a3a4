package xdscope;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
        /** Those for which a client rejects a resource. */
        public List<Finding> errors() {
            return findings.stream().filter(finding -> finding.level().equals("error")).toList();
        }

        public boolean accepted() {
            return errors().isEmpty();
        }
    }

    /**
     * @param path "/package.Service/Method"
     * @param target "xds:///name", or null: not needed with one listener
     * @param listener in place of a target, or null
     * @param authority where it is not that of the target, or null
     * @param headers pairs of name and value, or null
     */
    public record Rpc(String path, String target, String listener, String authority, List<List<String>> headers) {
        public static Rpc of(String path) {
            return new Rpc(path, null, null, null, null);
        }

        public Rpc withTarget(String target) {
            return new Rpc(path, target, listener, authority, headers);
        }

        public Rpc withListener(String listener) {
            return new Rpc(path, target, listener, authority, headers);
        }

        public Rpc withAuthority(String authority) {
            return new Rpc(path, target, listener, authority, headers);
        }

        /** One more. */
        public Rpc withHeader(String name, String value) {
            List<List<String>> all = new ArrayList<>(headers == null ? List.of() : headers);
            all.add(List.of(name, value));
            return new Rpc(path, target, listener, authority, all);
        }
    }

    /** How an RPC fails. */
    public record Status(String code, String message) {}

    public record RouteConfig(String name) {}

    /**
     * man/schema/explain.schema.json; raw has all of it.
     *
     * @param outcome "routed", "routed_with_gaps"; else the RPC fails: see routed()
     * @param status null: it does not fail
     * @param routeConfig null: none was met
     */
    public record Decision(String client, String outcome, Status status, @SerializedName("route_config") RouteConfig routeConfig,
            JsonObject raw) {
        /** Does the RPC go to a host? As the exit status of the program says: gaps, such as a fault that may happen, fail none. */
        public boolean routed() {
            return outcome.equals("routed") || outcome.equals("routed_with_gaps");
        }
    }

    /** @param change "added", "removed", "changed" */
    public record Change(String change, String type, String name) {}

    /** man/schema/diff.schema.json; raw has all of it. */
    public record Difference(List<Change> resources, JsonObject summary, JsonObject raw) {}

    private static String send(String name, JsonObject request, Input files, Input old) {
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
        return Module.call(name, bytes.toByteArray());
    }

    private static JsonObject parsed(String text) {
        return GSON.fromJson(text, JsonObject.class);
    }

    /** Would gRPC clients accept the input? */
    public static Report lint(Input input, Options options) {
        JsonObject raw = parsed(lintAs("json", input, options));
        Report report = GSON.fromJson(raw, Report.class);
        return new Report(report.clients(), report.resources(), report.findings(), raw);
    }

    /** The same in another format, such as "text" or "sarif". */
    public static String lintAs(String format, Input input, Options options) {
        JsonObject request = options.json();
        request.addProperty("format", format);
        return send("lint", request, input, null);
    }

    /** Where does an RPC go, and why? */
    public static Decision explain(Input input, Rpc rpc, Options options) {
        JsonObject raw = parsed(explainAs("json", input, rpc, options));
        Decision decision = GSON.fromJson(raw, Decision.class);
        return new Decision(decision.client(), decision.outcome(), decision.status(), decision.routeConfig(), raw);
    }

    /** The same in another format: "text", for people, or "json". */
    public static String explainAs(String format, Input input, Rpc rpc, Options options) {
        JsonObject request = options.json();
        request.addProperty("format", format);
        request.add("request", GSON.toJsonTree(rpc));
        return send("explain", request, input, null);
    }

    /** What changes from old to input? Without old: between two clients. */
    public static Difference diff(Input old, Input input, Options options) {
        JsonObject raw = parsed(send("diff", options.json(), input, old));
        Difference difference = GSON.fromJson(raw, Difference.class);
        return new Difference(difference.resources(), difference.summary(), raw);
    }
}
