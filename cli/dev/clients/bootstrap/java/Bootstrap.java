import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;

/**
 * Does grpc-java start with a bootstrap? Reads lines of JSON, each a text, and answers with what it
 * says, null when it starts. Its bootstrapper is not public and has moved between releases.
 */
public final class Bootstrap {
  private static Class<?> find() throws ClassNotFoundException {
    try {
      return Class.forName("io.grpc.xds.GrpcBootstrapperImpl");
    } catch (ClassNotFoundException e) {
      return Class.forName("io.grpc.xds.BootstrapperImpl");
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field f : c.getDeclaredFields()) {
        if (f.getName().equals(name)) {
          f.setAccessible(true);
          return f;
        }
      }
    }
    throw new NoSuchFieldException(name);
  }

  private static String answer(Class<?> type, String text) throws Exception {
    Constructor<?> make = type.getDeclaredConstructor();
    make.setAccessible(true);
    Object bootstrapper = make.newInstance();
    field(type, "bootstrapPathFromEnvVar").set(bootstrapper, null);
    field(type, "bootstrapConfigFromEnvVar").set(bootstrapper, text);
    Method bootstrap = null;
    for (Class<?> c = type; bootstrap == null; c = c.getSuperclass()) {
      try {
        bootstrap = c.getDeclaredMethod("bootstrap");
      } catch (NoSuchMethodException e) {
        continue;
      }
    }
    bootstrap.setAccessible(true);
    try {
      bootstrap.invoke(bootstrapper);
      return null;
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      String words = cause.getClass().getSimpleName() + ": " + cause.getMessage();
      return cause.getCause() == null ? words : words + ": " + cause.getCause().getMessage();
    }
  }

  public static void main(String[] args) throws Exception {
    Gson gson = new Gson();
    PrintStream out = new PrintStream(System.out, true, "UTF-8");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Class<?> type = find();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String said = answer(type, gson.fromJson(line, String.class));
      out.println(said == null ? "null" : gson.toJson(said));
    }
  }
}
