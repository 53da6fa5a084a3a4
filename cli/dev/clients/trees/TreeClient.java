import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Prints what the parser of grpc-java's XdsClient makes of the LB policies of clusters: a line of
 * JSON in for each cluster, one out. See trees.py.
 */
public final class TreeClient {
  private static final String CLUSTER = "type.googleapis.com/envoy.config.cluster.v3.Cluster";

  private static Map<String, Object> ejection(Object from, String factor) throws Exception {
    if (from == null) {
      return null;
    }
    Map<String, Object> out = new LinkedHashMap<>();
    for (String name :
        new String[] {factor, "enforcementPercentage", "minimumHosts", "requestVolume"}) {
      out.put(name, Client.call(from, name));
    }
    return out;
  }

  private static String seconds(Object nanos) {
    return nanos == null ? null : BigDecimal.valueOf((Long) nanos, 9).toPlainString() + "s";
  }

  private static Map<String, Object> outlier(Object from) throws Exception {
    if (from == null) {
      return null;
    }
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("interval", seconds(Client.call(from, "intervalNanos")));
    out.put("baseEjectionTime", seconds(Client.call(from, "baseEjectionTimeNanos")));
    out.put("maxEjectionTime", seconds(Client.call(from, "maxEjectionTimeNanos")));
    out.put("maxEjectionPercentage", Client.call(from, "maxEjectionPercent"));
    out.put(
        "successRateEjection", ejection(Client.call(from, "successRateEjection"), "stdevFactor"));
    out.put(
        "failurePercentageEjection",
        ejection(Client.call(from, "failurePercentageEjection"), "threshold"));
    return out;
  }

  private static void answer(JsonObject asked, Map<String, Object> out) throws Throwable {
    asked.addProperty("url", CLUSTER);
    asked.addProperty("type_url", CLUSTER);
    Object parsed = Client.parse(asked);
    String nack = Client.error(parsed);
    out.put("nack", nack);
    if (nack != null) {
      return;
    }
    Map<?, ?> resources = (Map<?, ?>) Client.field(parsed, "parsedResources");
    Object resource = resources.get(asked.get("name").getAsString());
    Object update = Client.call(resource, "getResourceUpdate");
    out.put("policy", Collections.singletonList(Client.call(update, "internalLbPolicyConfigJson")));
    out.put("outlier", outlier(Client.call(update, "outlierDetection")));
  }

  public static void main(String[] argv) throws Exception {
    Client.start();
    Gson gson = new GsonBuilder().serializeSpecialFloatingPointValues().create();
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      JsonObject asked = new JsonParser().parse(line).getAsJsonObject();
      Map<String, Object> answer = new LinkedHashMap<>();
      try {
        answer(asked, answer);
      } catch (Throwable t) {
        answer.put("nack", "throws " + t);
      }
      answer.put("name", asked.get("name").getAsString());
      out.println(gson.toJson(answer));
    }
  }
}
