package xdscope;

import com.google.gson.JsonObject;
import com.google.gson.annotations.SerializedName;
import java.util.List;

/**
 * Options of the command line with the same names.
 *
 * @param clients "java@1.60", "core@1.60..1.72", "all@3y"; null: all, or C-core for explain, which takes one
 * @param type of files that do not name the type of their resource, or null
 * @param env "NAME=VALUE", gRPC environment variables of the client, or null
 * @param with packages that the client links, "rls", or null
 * @param bootstrap a gRPC bootstrap, or null
 * @param partial references may lead out of the input
 * @param allowUnknownFields fields that xdscope does not know are no fault
 */
public record Options(List<String> clients, String type, List<String> env, List<String> with, JsonObject bootstrap,
        boolean partial, @SerializedName("allow_unknown_fields") boolean allowUnknownFields) {
    /** Of these clients. */
    public static Options of(String... clients) {
        return new Options(clients.length > 0 ? List.of(clients) : null, null, null, null, null, false, false);
    }

    public Options withType(String type) {
        return new Options(clients, type, env, with, bootstrap, partial, allowUnknownFields);
    }

    /** "NAME=VALUE" */
    public Options withEnv(String... env) {
        return new Options(clients, type, List.of(env), with, bootstrap, partial, allowUnknownFields);
    }

    /** "rls" */
    public Options withParts(String... parts) {
        return new Options(clients, type, env, List.of(parts), bootstrap, partial, allowUnknownFields);
    }

    /** The text of a gRPC bootstrap. */
    public Options withBootstrap(String json) {
        try {
            return new Options(clients, type, env, with, Xdscope.GSON.fromJson(json, JsonObject.class), partial, allowUnknownFields);
        } catch (com.google.gson.JsonParseException e) {
            throw new XdscopeException("bootstrap: " + e.getMessage(), 2);
        }
    }

    public Options withPartial() {
        return new Options(clients, type, env, with, bootstrap, true, allowUnknownFields);
    }

    public Options withUnknownFields() {
        return new Options(clients, type, env, with, bootstrap, partial, true);
    }

    JsonObject json() {
        return Xdscope.GSON.toJsonTree(this).getAsJsonObject();
    }
}
