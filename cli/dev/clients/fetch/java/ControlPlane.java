import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;

/**
 * Control planes of java-control-plane's SimpleCache, see ../planes.py: a server for each snapshot,
 * as the cache finds the snapshot by the node of each request, and some clients send their node
 * in the first one alone.
 */
public final class ControlPlane {
  private static final Gson GSON = new GsonBuilder().serializeNulls().create();
  private static PrintStream out;

  private static synchronized void say(JsonObject what) {
    out.println(GSON.toJson(what));
    out.flush();
    if (out.checkError()) {
      System.exit(0);
    }
  }

  private static Snapshot read(JsonObject asked) throws Exception {
    List<Listener> listeners = new ArrayList<>();
    List<RouteConfiguration> routes = new ArrayList<>();
    List<Cluster> clusters = new ArrayList<>();
    List<ClusterLoadAssignment> endpoints = new ArrayList<>();
    for (JsonElement e : asked.getAsJsonArray("resources")) {
      String type = e.getAsJsonObject().get("type_url").getAsString();
      byte[] value = Base64.getDecoder().decode(e.getAsJsonObject().get("value").getAsString());
      if (type.endsWith(".Listener")) {
        listeners.add(Listener.parseFrom(value));
      } else if (type.endsWith(".RouteConfiguration")) {
        routes.add(RouteConfiguration.parseFrom(value));
      } else if (type.endsWith(".Cluster")) {
        clusters.add(Cluster.parseFrom(value));
      } else {
        endpoints.add(ClusterLoadAssignment.parseFrom(value));
      }
    }
    return Snapshot.create(
        clusters, endpoints, listeners, routes, Collections.emptyList(),
        asked.get("version").getAsString());
  }

  private static final class Callbacks implements DiscoveryServerCallbacks {
    private final String node;

    Callbacks(String node) {
      this.node = node;
    }

    private void requested(
        long stream, String type, List<String> names, String version, String nonce, String error) {
      JsonObject e = new JsonObject();
      e.addProperty("node", node);
      e.addProperty("stream", stream);
      e.addProperty("type_url", type);
      e.add("names", GSON.toJsonTree(names));
      e.addProperty("version", version);
      e.addProperty("nonce", nonce);
      e.addProperty("error", error);
      say(e);
    }

    @Override
    public void onV3StreamRequest(long stream, DiscoveryRequest r) {
      requested(
          stream, r.getTypeUrl(), r.getResourceNamesList(), r.getVersionInfo(),
          r.getResponseNonce(), r.hasErrorDetail() ? r.getErrorDetail().getMessage() : null);
    }

    @Override
    public void onV3StreamDeltaRequest(long stream, DeltaDiscoveryRequest r) {
      requested(
          -stream - 1, r.getTypeUrl(), r.getResourceNamesSubscribeList(), "",
          r.getResponseNonce(), r.hasErrorDetail() ? r.getErrorDetail().getMessage() : null);
    }
  }

  private static int serve(JsonObject asked) throws Exception {
    SimpleCache<String> cache = new SimpleCache<>(node -> "all");
    cache.setSnapshot("all", read(asked));
    V3DiscoveryServer plane =
        new V3DiscoveryServer(new Callbacks(asked.get("node").getAsString()), cache);
    Server server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(plane.getAggregatedDiscoveryServiceImpl())
            .build()
            .start();
    return server.getPort();
  }

  public static void main(String[] argv) throws Exception {
    out = new PrintStream(System.out, false, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      JsonObject asked = JsonParser.parseString(line).getAsJsonObject();
      JsonObject answer = new JsonObject();
      answer.add("set", asked.get("node"));
      answer.addProperty("error", (String) null);
      try {
        answer.addProperty("port", serve(asked));
      } catch (Exception e) {
        answer.addProperty("error", e.toString());
      }
      say(answer);
    }
    System.exit(0);
  }
}
