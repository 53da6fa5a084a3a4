import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import io.grpc.LoadBalancerRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The parser of grpc-java's XdsClient. Over the wire it skips each cluster and endpoint
 * assignment whose name it has not asked for. It reads a line of JSON for each resource: nonce,
 * type_url (of the response), url (of the Any) and value (base64), and answers with nonce and
 * error, which is null for an ACK, or with died if the parser throws: the client then closes
 * its stream, opens another one, and gets the same resource again.
 *
 * <p>The classes are not public and have moved between releases: all is done by reflection.
 */
public final class Client {
  private static final String[] PACKAGES = {
    "io.grpc.xds.", "io.grpc.xds.client.", "io.grpc.xds.internal.security."
  };

  private static Object args;
  private static final Map<String, Object> TYPES = new HashMap<>();

  private static Class<?> find(String... names) throws ClassNotFoundException {
    for (String name : names) {
      for (String prefix : PACKAGES) {
        try {
          return Class.forName(prefix + name);
        } catch (ClassNotFoundException e) {
          continue;
        }
      }
    }
    throw new ClassNotFoundException(Arrays.toString(names));
  }

  private static Method method(Class<?> type, String name, int count) {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Method m : c.getDeclaredMethods()) {
        if (m.getName().equals(name) && m.getParameterCount() == count) {
          m.setAccessible(true);
          return m;
        }
      }
    }
    throw new IllegalStateException(type + " has no " + name);
  }

  static Object call(Object object, String name) throws Exception {
    return method(object.getClass(), name, 0).invoke(object);
  }

  private static Object instance(Class<?> type, String name) throws Exception {
    return method(type, name, 0).invoke(null);
  }

  private static Object make(Class<?> type, Object... values) throws Exception {
    for (Constructor<?> c : type.getDeclaredConstructors()) {
      if (c.getParameterCount() == values.length) {
        c.setAccessible(true);
        return c.newInstance(values);
      }
    }
    throw new IllegalStateException(type + " has no such constructor");
  }

  /** What XdsClient passes to a parser; which of these it has differs between releases. */
  private static Object makeArgs() throws Exception {
    Object info = call(make(find("GrpcBootstrapperImpl", "BootstrapperImpl")), "bootstrap");
    Object server = ((List<?>) call(info, "servers")).get(0);
    Constructor<?> c = find("XdsResourceType$Args").getDeclaredConstructors()[0];
    Class<?>[] wanted = c.getParameterTypes();
    Object[] values = new Object[wanted.length];
    for (int i = 0; i < wanted.length; i++) {
      String name = wanted[i].getSimpleName();
      if (name.equals("ServerInfo")) {
        values[i] = server;
      } else if (name.equals("String")) {
        values[i] = "1";
      } else if (name.equals("BootstrapInfo")) {
        values[i] = info;
      } else if (name.equals("FilterRegistry")) {
        values[i] = instance(wanted[i], "getDefaultRegistry");
      } else if (name.equals("LoadBalancerRegistry")) {
        values[i] = LoadBalancerRegistry.getDefaultRegistry();
      } else if (name.equals("TlsContextManager") || name.equals("Object")) {
        values[i] = make(find("TlsContextManagerImpl"), info);
      } // the set of names that were asked for is null: all of them
    }
    c.setAccessible(true);
    return c.newInstance(values);
  }

  static Object field(Object object, String name) throws Exception {
    Field field = object.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  /** What the parser makes of a resource. */
  static Object parse(JsonObject asked) throws Throwable {
    byte[] value = Base64.getDecoder().decode(asked.get("value").getAsString());
    Any any =
        Any.newBuilder()
            .setTypeUrl(asked.get("url").getAsString())
            .setValue(ByteString.copyFrom(value))
            .build();
    List<Any> resources = Collections.singletonList(any);
    Object type = TYPES.get(asked.get("type_url").getAsString());
    try {
      return method(type.getClass(), "parse", 2).invoke(type, args, resources);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  static String error(Object parsed) throws Exception {
    List<?> texts = (List<?>) field(parsed, "errors");
    return texts.isEmpty() ? null : String.join("\n", texts.toArray(new String[0]));
  }

  static void start() throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    args = makeArgs();
    for (String name : new String[] {"Listener", "RouteConfigure", "Cluster", "Endpoint"}) {
      Object type = instance(find("Xds" + name + "Resource"), "getInstance");
      TYPES.put((String) call(type, "typeUrl"), type);
    }
  }

  public static void main(String[] argv) throws Exception {
    start();
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Gson gson = new com.google.gson.GsonBuilder().serializeNulls().create();
    for (String line; (line = in.readLine()) != null; ) {
      JsonObject asked = new JsonParser().parse(line).getAsJsonObject();
      JsonObject answer = new JsonObject();
      answer.add("nonce", asked.get("nonce"));
      try {
        answer.addProperty("error", error(parse(asked)));
      } catch (Throwable t) {
        StackTraceElement[] at = t.getStackTrace();
        answer.addProperty("died", t + (at.length > 0 ? "\n" + at[0] : ""));
      }
      out.println(gson.toJson(answer));
      out.flush();
    }
  }
}
