package io.grpc.xds;

import io.grpc.*;
import java.lang.reflect.*;
import java.util.*;

/** What has another form in older releases, from 1.60. */
final class Release {
  private Release() {}

  /** By the constructor, with as many of the arguments as it has. */
  static <T> T make(Class<T> type, Object... arguments) {
    try {
      Constructor<?> c = type.getDeclaredConstructors()[0];
      c.setAccessible(true);
      return type.cast(c.newInstance(Arrays.copyOf(arguments, c.getParameterCount())));
    } catch (ReflectiveOperationException e) {
      // The constructor's own exception says what is wrong with a config.
      if (e.getCause() instanceof RuntimeException) throw (RuntimeException) e.getCause();
      throw new IllegalStateException(e);
    }
  }

  /** A policy and its config: before 1.66 there was a type for it. */
  static Object childConfig(LoadBalancerProvider provider, Object config) {
    try {
      return io.grpc.util.GracefulSwitchLoadBalancer.class.getMethod("createLoadBalancingPolicyConfig",
          LoadBalancer.Factory.class, Object.class).invoke(null, provider, config);
    } catch (NoSuchMethodException e) {
      return new io.grpc.internal.ServiceConfigUtil.PolicySelection(provider, config);
    } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
  }

  static LoadBalancer.PickSubchannelArgs pickArgs(MethodDescriptor<?, ?> method, CallOptions options) {
    Class<?>[] types = io.grpc.internal.PickSubchannelArgsImpl.class.getConstructors()[0].getParameterTypes();
    Object details = types.length < 4 ? null : Proxy.newProxyInstance(
        types[3].getClassLoader(), new Class<?>[] {types[3]}, (proxy, m, a) -> null);
    return make(io.grpc.internal.PickSubchannelArgsImpl.class, method, new Metadata(), options, details);
  }

  private static Object constant(String type, String field) throws ReflectiveOperationException {
    Field f = Class.forName(type).getDeclaredField(field);
    f.setAccessible(true);
    return f.get(null);
  }

  @SuppressWarnings("unchecked")
  static Attributes.Key<Long> serverWeight() {
    for (String type : new String[] {"io.grpc.xds.XdsAttributes", "io.grpc.xds.InternalXdsAttributes"})
      try { return (Attributes.Key<Long>) constant(type, "ATTR_SERVER_WEIGHT"); } catch (ReflectiveOperationException e) { /* the other */ }
    throw new IllegalStateException();
  }

  static List<String> path(EquivalentAddressGroup group) {
    List<String> names = new ArrayList<>();
    try {
      Object chain = group.getAttributes().get((Attributes.Key<?>) constant("io.grpc.xds.AddressFilter", "PATH_CHAIN_KEY"));
      for (; chain != null; chain = Player.get(chain, "next")) names.add((String) Player.get(chain, "name"));
    } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
    return names;
  }

  @SuppressWarnings("unchecked")
  static Collection<io.grpc.util.MultiChildLoadBalancer.ChildLbState> children(LoadBalancer policy) {
    return (Collection<io.grpc.util.MultiChildLoadBalancer.ChildLbState>) call(io.grpc.util.MultiChildLoadBalancer.class, policy, "getChildLbStates");
  }

  /** With as many of the arguments as it has. */
  static Object call(Class<?> type, Object self, String method, Object... arguments) {
    for (Method m : type.getDeclaredMethods())
      if (m.getName().equals(method))
        try {
          m.setAccessible(true);
          return m.invoke(self, Arrays.copyOf(arguments, m.getParameterCount()));
        } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
    throw new IllegalStateException(method);
  }

  /** Before 1.82 it always does. */
  static void keepRemovedPriorities(boolean keep) {
    try {
      Field f = PriorityLoadBalancer.class.getDeclaredField("enablePriorityLbChildPolicyCache");
      f.setAccessible(true);
      f.set(null, keep);
    } catch (NoSuchFieldException e) { /* always */
    } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
  }

  static boolean isDeactivated(Object child) {
    try { return Player.get(child, "deletionTimer") != null; } catch (IllegalStateException e) { return (Boolean) Player.get(child, "deactivated"); }
  }
}
