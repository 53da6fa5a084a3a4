package xdscope;

import com.google.gson.JsonObject;
import java.util.List;

/**
 * Options of the command line with the same names.
 *
 * @param clients "java@1.60", "core@1.60..1.72", "all@3y"; null: all, or C-core for explain
 * @param type of files that do not name the type of their resource, or null
 * @param env "NAME=VALUE", gRPC environment variables of the client, or null
 * @param partial references may lead out of the input
 */
public record Options(List<String> clients, String type, List<String> env, boolean partial) {
    /** Of these clients. */
    public static Options of(String... clients) {
        return new Options(clients.length > 0 ? List.of(clients) : null, null, null, false);
    }

    JsonObject json() {
        return Xdscope.GSON.toJsonTree(this).getAsJsonObject();
    }
}
