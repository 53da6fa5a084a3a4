package io.grpc.xds;

import com.google.gson.*;
import io.grpc.*;
import java.io.*;
import java.lang.reflect.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.*;

/**
 * Plays scenarios of xdscope with the LB policies of grpc-java over a fake clock. A line of stdin
 * is a scenario: subject priority, weighted_target, cluster_manager (children are scripted),
 * ring_hash (over pick_first and fake subchannels) or cds_child_names. A line of stdout is
 * {"scenario", "steps": [result or {"exception"}]}, in the words of xdscope-scenario(5).
 */
public final class Player {
  // ---- clock -------------------------------------------------------------------------------
  static final class Clock extends AbstractExecutorService implements ScheduledExecutorService {
    final class Task implements ScheduledFuture<Object> {
      final long due; final long seq; final Runnable run; boolean off;
      Task(long due, Runnable run) { this.due = due; this.run = run; seq = n++; }
      @Override public boolean cancel(boolean b) { off = true; return tasks.remove(this); }
      @Override public boolean isCancelled() { return off; }
      @Override public boolean isDone() { return off; }
      @Override public Object get() { return null; }
      @Override public Object get(long t, TimeUnit u) { return null; }
      @Override public long getDelay(TimeUnit u) { return u.convert(due - now, TimeUnit.NANOSECONDS); }
      @Override public int compareTo(Delayed o) { return 0; }
    }
    long now, n;
    final TreeSet<Task> tasks = new TreeSet<>(Comparator.<Task>comparingLong(t -> t.due).thenComparingLong(t -> t.seq));
    @Override public ScheduledFuture<?> schedule(Runnable r, long d, TimeUnit u) { Task t = new Task(now + u.toNanos(d), r); tasks.add(t); return t; }
    @Override public <V> ScheduledFuture<V> schedule(Callable<V> c, long d, TimeUnit u) { throw new UnsupportedOperationException(); }
    @Override public ScheduledFuture<?> scheduleAtFixedRate(Runnable r, long a, long b, TimeUnit u) { throw new UnsupportedOperationException(); }
    @Override public ScheduledFuture<?> scheduleWithFixedDelay(Runnable r, long a, long b, TimeUnit u) { throw new UnsupportedOperationException(); }
    @Override public void execute(Runnable r) { r.run(); }
    @Override public void shutdown() {}
    @Override public List<Runnable> shutdownNow() { return List.of(); }
    @Override public boolean isShutdown() { return false; }
    @Override public boolean isTerminated() { return false; }
    @Override public boolean awaitTermination(long t, TimeUnit u) { return true; }
    void advance(long to) {
      while (!tasks.isEmpty() && tasks.first().due <= to) { Task t = tasks.pollFirst(); now = Math.max(now, t.due); t.run.run(); }
      now = Math.max(now, to);
    }
  }

  // ---- scripted children -------------------------------------------------------------------
  static final class Label extends LoadBalancer.SubchannelPicker {
    final String child, text, state;
    Label(String child, String text, String state) { this.child = child; this.text = text; this.state = state; }
    @Override public LoadBalancer.PickResult pickSubchannel(LoadBalancer.PickSubchannelArgs a) {
      last = this;
      return LoadBalancer.PickResult.withError(Status.ABORTED.withDescription(text));
    }
  }
  static Label last;
  final class Child extends LoadBalancer {
    final Helper h; String name; List<EquivalentAddressGroup> addresses = List.of(); boolean dead, wakened;
    Child(Helper h) { this.h = h; }
    @Override public Status acceptResolvedAddresses(ResolvedAddresses ra) {
      if (name == null) {
        name = (String) ra.getLoadBalancingPolicyConfig();
        if (live.put(name, this) != null) happened("two_at_once", name);
        happened("created", name);
      }
      addresses = ra.getAddresses();
      say();
      return Status.OK;
    }
    void say() { String s = says.remove(name); if (s != null) report(s, name); }
    void report(String state, String label) { h.updateBalancingState(ConnectivityState.valueOf(state), new Label(name, label, state)); }
    @Override public void handleNameResolutionError(Status e) { happened("told_error", name); }
    @Override public void requestConnection() { happened("told_to_exit_idle", name); }
    @Override public void shutdown() { dead = true; if (name != null) { live.remove(name, this); happened("deleted", name); } }
  }
  final LoadBalancerProvider scripted = new LoadBalancerProvider() {
    @Override public boolean isAvailable() { return true; }
    @Override public int getPriority() { return 5; }
    @Override public String getPolicyName() { return "scripted"; }
    @Override public LoadBalancer newLoadBalancer(LoadBalancer.Helper h) { return new Child(h); }
  };
  Object childConfig(String name) {
    return Release.childConfig(scripted, name);
  }

  // ---- parent ------------------------------------------------------------------------------
  Throwable failure;
  final SynchronizationContext sync = new SynchronizationContext((t, e) -> { if (failure == null) failure = e; });
  final Clock clock = new Clock();
  final Map<String, Child> live = new TreeMap<>();
  final Map<String, String> says = new LinkedHashMap<>();
  JsonObject result;
  ConnectivityState state = ConnectivityState.CONNECTING; LoadBalancer.SubchannelPicker picker; int updates; boolean reresolved;
  final LoadBalancer.Helper helper = new LoadBalancer.Helper() {
    @Override public ManagedChannel createOobChannel(EquivalentAddressGroup e, String a) { throw new UnsupportedOperationException(); }
    @Override public void updateBalancingState(ConnectivityState s, LoadBalancer.SubchannelPicker p) { state = s; picker = p; updates++; }
    @Override public void refreshNameResolution() { reresolved = true; }
    @Override public LoadBalancer.Subchannel createSubchannel(LoadBalancer.CreateSubchannelArgs a) { return new Sub(a.getAddresses()); }
    @Override public String getAuthority() { return "x"; }
    @Override public SynchronizationContext getSynchronizationContext() { return sync; }
    @Override public ScheduledExecutorService getScheduledExecutorService() { return clock; }
    @Override public ChannelLogger getChannelLogger() { return new ChannelLogger() {
      @Override public void log(ChannelLogLevel l, String m) {} @Override public void log(ChannelLogLevel l, String f, Object... a) {} }; }
  };
  void happened(String key, String name) {
    if (!result.has(key)) result.add(key, new JsonArray());
    result.getAsJsonArray(key).add(name);
  }

  // ---- subchannels, for ring_hash ------------------------------------------------------------
  final List<Sub> subs = new ArrayList<>();
  final Map<SocketAddress, String> texts = new HashMap<>(); // as the scenario writes them
  final class Sub extends LoadBalancer.Subchannel {
    List<EquivalentAddressGroup> eags; LoadBalancer.SubchannelStateListener l; ConnectivityState state = ConnectivityState.IDLE; boolean dead;
    Sub(List<EquivalentAddressGroup> e) { eags = e; subs.add(this); }
    String address() { if (eags.get(0).getAddresses().get(0) instanceof Named) return eags.get(0).getAddresses().get(0).toString(); return texts.get(eags.get(0).getAddresses().get(0)); }
    void go(ConnectivityState s) {
      state = s;
      l.onSubchannelState(s == ConnectivityState.TRANSIENT_FAILURE ? ConnectivityStateInfo.forTransientFailure(Status.UNAVAILABLE.withDescription(address())) : ConnectivityStateInfo.forNonError(s));
    }
    @Override public void start(LoadBalancer.SubchannelStateListener x) { l = x; }
    /* As InternalSubchannel: in its turn, and only from IDLE. */
    @Override public void requestConnection() { sync.execute(() -> { if (!dead && state == ConnectivityState.IDLE) go(ConnectivityState.CONNECTING); }); }
    @Override public void shutdown() { dead = true; }
    @Override public List<EquivalentAddressGroup> getAllAddresses() { return eags; }
    @Override public void updateAddresses(List<EquivalentAddressGroup> e) { eags = e; }
    @Override public Attributes getAttributes() { return Attributes.EMPTY; }
  }

  final JsonObject scenario; final String subject; final LoadBalancer lb; ChildNames names;
  Player(JsonObject scenario) {
    this.scenario = scenario; subject = scenario.get("subject").getAsString();
    Release.keepRemovedPriorities(scenario.has("env") && scenario.getAsJsonObject("env").has("GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_CHILD_POLICY_CACHE")
        && scenario.getAsJsonObject("env").get("GRPC_EXPERIMENTAL_ENABLE_PRIORITY_LB_CHILD_POLICY_CACHE").getAsString().equals("true"));
    lb = subject.equals("priority") ? new PriorityLoadBalancer(helper) : subject.equals("weighted_target") ? new WeightedTargetLoadBalancer(helper)
        : subject.equals("ring_hash") ? new RingHashLoadBalancer(helper) : new ClusterManagerLoadBalancer(helper);
  }
  static Object get(Object o, String f) {
    try {
      for (Class<?> c = o.getClass(); c != null; c = c.getSuperclass())
        try { Field x = c.getDeclaredField(f); x.setAccessible(true); return x.get(o); } catch (NoSuchFieldException e) { /* above */ }
      throw new NoSuchFieldException(f);
    } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
  }
  static void set(Object o, String f, Object v) {
    try { Field x = o.getClass().getDeclaredField(f); x.setAccessible(true); x.set(o, v); } catch (ReflectiveOperationException e) { throw new IllegalStateException(e); }
  }
  static String text(JsonObject o, String k, String d) { return o.has(k) && !o.get(k).isJsonNull() ? o.get(k).getAsString() : d; }

  Object config(JsonObject event) {
    JsonObject c = event.getAsJsonObject("config");
    if (subject.equals("priority")) {
      Map<String, PriorityLoadBalancerProvider.PriorityLbConfig.PriorityChildConfig> children = new HashMap<>();
      for (Map.Entry<String, JsonElement> e : c.getAsJsonObject("children").entrySet())
        children.put(e.getKey(), Release.make(PriorityLoadBalancerProvider.PriorityLbConfig.PriorityChildConfig.class, childConfig(e.getKey()),
            e.getValue().getAsJsonObject().has("ignore_reresolution_requests") && e.getValue().getAsJsonObject().get("ignore_reresolution_requests").getAsBoolean()));
      List<String> names = new ArrayList<>();
      for (JsonElement e : c.getAsJsonArray("priorities")) names.add(e.getAsString());
      return new PriorityLoadBalancerProvider.PriorityLbConfig(children, names);
    }
    if (subject.equals("weighted_target")) {
      Map<String, WeightedTargetLoadBalancerProvider.WeightedPolicySelection> targets = new TreeMap<>();
      for (Map.Entry<String, JsonElement> e : c.getAsJsonObject("targets").entrySet())
        targets.put(e.getKey(), Release.make(WeightedTargetLoadBalancerProvider.WeightedPolicySelection.class, e.getValue().getAsJsonObject().get("weight").getAsInt(), childConfig(e.getKey())));
      return new WeightedTargetLoadBalancerProvider.WeightedTargetConfig(targets);
    }
    if (subject.equals("ring_hash")) return Release.make(RingHashLoadBalancer.RingHashConfig.class, c.get("min").getAsLong(), c.get("max").getAsLong(), "");
    Map<String, Object> children = new TreeMap<>();
    for (JsonElement e : c.getAsJsonArray("children")) children.put(e.getAsString(), childConfig(e.getAsString()));
    return Release.make(ClusterManagerLoadBalancerProvider.ClusterManagerConfig.class, children);
  }
  List<EquivalentAddressGroup> addresses(JsonObject event) {
    List<EquivalentAddressGroup> out = new ArrayList<>();
    if (event.has("endpoints")) for (JsonElement e : event.getAsJsonArray("endpoints")) {
      String at = e.getAsJsonArray().get(0).getAsString();
      int colon = at.lastIndexOf(':');
      try {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName(at.substring(0, colon)), Integer.parseInt(at.substring(colon + 1)));
        texts.put(address, at);
        out.add(new EquivalentAddressGroup(address,
            Attributes.newBuilder().set(Release.serverWeight(), e.getAsJsonArray().get(1).getAsLong()).build()));
      } catch (UnknownHostException x) { throw new IllegalArgumentException(x); }
    }
    if (event.has("addresses")) for (JsonElement e : event.getAsJsonArray("addresses")) {
      JsonObject a = e.getAsJsonObject();
      List<String> path = new ArrayList<>();
      if (a.has("path")) for (JsonElement p : a.getAsJsonArray("path")) path.add(p.getAsString());
      out.add(AddressFilter.setPathFilter(new EquivalentAddressGroup(new Named(a.get("address").getAsString())), path));
    }
    return out;
  }
  void play(JsonObject event) {
    switch (event.get("type").getAsString()) {
      case "config_update": {
        says.clear();
        if (event.has("child_reports")) for (Map.Entry<String, JsonElement> e : event.getAsJsonObject("child_reports").entrySet()) says.put(e.getKey(), e.getValue().getAsString());
        Object config;
        try { config = config(event); } catch (IllegalArgumentException e) { result.addProperty("config_error", e.getMessage()); says.clear(); return; }
        Status s = lb.acceptResolvedAddresses(LoadBalancer.ResolvedAddresses.newBuilder().setAddresses(addresses(event)).setLoadBalancingPolicyConfig(config).build());
        if (!s.isOk()) result.addProperty("not_ok", s.toString());
        for (String name : new ArrayList<>(says.keySet())) if (live.containsKey(name)) live.get(name).say();
        for (String name : says.keySet()) happened("unsaid", name);
        says.clear();
        return;
      }
      case "child_state": {
        Child c = live.get(event.get("child").getAsString());
        if (c == null) { result.addProperty("no_child", true); return; }
        c.report(event.get("state").getAsString(), text(event, "picker", c.name));
        return;
      }
      case "subchannel_state": {
        List<Sub> to = new ArrayList<>();
        for (Sub x : subs) if (!x.dead && x.address().equals(event.get("address").getAsString())) to.add(x);
        if (to.isEmpty()) { result.addProperty("no_child", true); return; }
        for (Sub x : to) x.go(ConnectivityState.valueOf(event.get("state").getAsString()));
        return;
      }
      case "rpc": {
        JsonObject p = new JsonObject();
        LoadBalancer.PickResult r = picker.pickSubchannel(Release.pickArgs(METHOD,
            CallOptions.DEFAULT.withOption(XdsNameResolver.RPC_HASH_KEY, XxHash64.INSTANCE.hashAsciiString(event.getAsJsonObject("headers").get("k").getAsString()))));
        p.addProperty("result", r.getSubchannel() != null ? "complete" : r.getStatus().isOk() ? "queue" : "fail");
        p.addProperty("host", r.getSubchannel() == null ? null : ((Sub) r.getSubchannel()).address());
        result.add("pick", p);
        return;
      }
      case "child_reresolution": {
        Child c = live.get(event.get("child").getAsString());
        if (c == null) { result.addProperty("no_child", true); return; }
        c.h.refreshNameResolution();
        return;
      }
      case "eds_update":
        if (names == null) names = new ChildNames(helper);
        result.add("child_numbers", names.next(event));
        return;
      case "resolver_error": lb.handleNameResolutionError(Status.UNAVAILABLE.withDescription("fail")); return;
      case "exit_idle": lb.requestConnection(); return;
      case "pick": {
        final JsonArray random = event.has("random") ? event.getAsJsonArray("random") : new JsonArray();
        if (picker instanceof WeightedRandomPicker) set(picker, "random", new ThreadSafeRandom() {
          double next() { return random.get(0).getAsDouble(); }
          @Override public int nextInt(int b) { return (int) (next() * b); }
          @Override public long nextLong() { throw new UnsupportedOperationException(); }
          @Override public long nextLong(long b) { return (long) (next() * b); }
        });
        JsonObject p = new JsonObject();
        String l = picker == null ? "queue" : label(picker);
        p.addProperty("result", l.equals("queue") ? "queue" : live.containsKey(l) && last.state.equals("READY") ? "delegate" : "fail");
        if (live.containsKey(l)) p.addProperty("child", l);
        result.add("pick", p);
        return;
      }
      case "advance": return;
      default: throw new IllegalArgumentException(event.toString());
    }
  }
  static String label(LoadBalancer.SubchannelPicker p) {
    LoadBalancer.PickResult r = p.pickSubchannel(null);
    return r.getStatus().isOk() ? "queue" : r.getStatus().getDescription();
  }
  static JsonArray names(Collection<?> c) { JsonArray a = new JsonArray(); for (Object o : new TreeSet<>(c)) a.add(o.toString()); return a; }

  void look() {
    JsonObject out = result;
    if (subject.equals("cds_child_names")) return;
    if (subject.equals("priority")) {
      List<String> off = new ArrayList<>(), pending = new ArrayList<>();
      Map<String, Object> children = (Map<String, Object>) get(lb, "children");
      for (Map.Entry<String, Object> e : children.entrySet()) {
        SynchronizationContext.ScheduledHandle d = (SynchronizationContext.ScheduledHandle) get(e.getValue(), "deletionTimer");
        if (d != null && d.isPending()) off.add(e.getKey());
        if (((SynchronizationContext.ScheduledHandle) get(e.getValue(), "failOverTimer")).isPending()) pending.add(e.getKey());
      }
      if (!children.keySet().equals(live.keySet())) out.add("live_differs", names(live.keySet()));
      out.add("exists", names(children.keySet())); out.add("deactivated", names(off)); out.add("failover_pending", names(pending));
      JsonObject r = new JsonObject();
      Object current = get(lb, "currentPriority");
      r.addProperty("state", state.toString());
      r.addProperty("child", (String) current);
      r.addProperty("picker", picker == null ? "queue" : label(picker));
      out.add("reported", r);
      out.addProperty("reresolution_forwarded", reresolved);
      JsonObject table = new JsonObject();
      for (Child c : live.values()) {
        JsonArray list = new JsonArray();
        for (EquivalentAddressGroup e : c.addresses) {
          JsonObject a = new JsonObject(); JsonArray path = new JsonArray();
          a.addProperty("address", e.getAddresses().get(0).toString());
          for (String p : Release.path(e)) path.add(p);
          a.add("path", path); list.add(a);
        }
        table.add(c.name, list);
      }
      out.add("child_addresses", table);
      return;
    }
    out.addProperty("updates_sent", updates);
    out.addProperty("reported_state", state.toString());
    if (subject.equals("weighted_target")) {
      out.add("exists", names(((Map<String, Object>) get(lb, "childBalancers")).keySet()));
      JsonObject shares = new JsonObject();
      if (picker instanceof WeightedRandomPicker) {
        WeightedRandomPicker w = (WeightedRandomPicker) picker; long total = (Long) get(w, "totalWeight");
        for (WeightedRandomPicker.WeightedChildPicker p : w.weightedChildPickers)
          shares.addProperty(p.getPicker() instanceof Label ? ((Label) p.getPicker()).child : "?", total == 0 ? 1.0 / w.weightedChildPickers.size() : (double) p.getWeight() / total);
      }
      out.add("pick_probabilities", shares);
      return;
    }
    if (subject.equals("ring_hash")) {
      JsonObject c = new JsonObject();
      for (Sub x : subs) if (!x.dead) c.addProperty(x.address(), x.state.toString());
      out.add("connections", c);
      return;
    }
    List<String> all = new ArrayList<>(), kept = new ArrayList<>();
    for (io.grpc.util.MultiChildLoadBalancer.ChildLbState s : Release.children(lb)) {
      all.add(s.getKey().toString());
      if (Release.isDeactivated(s)) kept.add(s.getKey().toString());
    }
    all.removeAll(kept);
    if (live.size() != all.size() + kept.size()) out.add("live_differs", names(live.keySet()));
    out.add("lb_children", names(all)); out.add("lb_children_kept", names(kept));
    JsonObject picks = new JsonObject();
    for (String name : live.keySet()) if (picker != null) {
      String l = label2(picker, name);
      picks.addProperty(name, l);
    }
    out.add("picks", picks);
  }
  static String label2(LoadBalancer.SubchannelPicker p, String cluster) {
    LoadBalancer.PickResult r = p.pickSubchannel(Release.pickArgs(METHOD,
        CallOptions.DEFAULT.withOption(XdsNameResolver.CLUSTER_SELECTION_KEY, cluster)));
    return r.getStatus().isOk() ? "queue" : r.getStatus().getDescription();
  }
  static final MethodDescriptor<String, String> METHOD = MethodDescriptor.<String, String>newBuilder().setType(MethodDescriptor.MethodType.UNARY).setFullMethodName("a.B/C")
      .setRequestMarshaller(new M()).setResponseMarshaller(new M()).build();
  static final class M implements MethodDescriptor.Marshaller<String> {
    @Override public InputStream stream(String s) { return null; } @Override public String parse(InputStream s) { return null; } }

  static final class Named extends SocketAddress { final String s; Named(String s) { this.s = s; } @Override public String toString() { return s; } }

  static long nanos(String at) {
    double f = at.endsWith("ms") ? 1e6 : at.endsWith("s") ? 1e9 : at.endsWith("m") ? 60e9 : 3600e9;
    return Math.round(Double.parseDouble(at.replaceAll("[a-z]+$", "")) * f);
  }
  JsonObject run() {
    JsonArray steps = new JsonArray();
    for (JsonElement e : scenario.getAsJsonArray("steps")) {
      final JsonObject step = e.getAsJsonObject();
      result = new JsonObject(); updates = 0; reresolved = false; failure = null;
      clock.advance(nanos(step.get("at").getAsString()));
      sync.execute(() -> play(step.getAsJsonObject("event")));
      if (failure == null) try { look(); } catch (Throwable t) { failure = t; }
      if (failure != null) { StringWriter w = new StringWriter(); failure.printStackTrace(new PrintWriter(w)); result.addProperty("exception", w.toString().split("\n\tat ")[0] + " at " + w.toString().split("\n\tat ")[1]); }
      steps.add(result);
    }
    JsonObject out = new JsonObject();
    out.add("scenario", scenario.get("scenario")); out.add("steps", steps);
    return out;
  }
  public static void main(String[] a) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
    Gson gson = new GsonBuilder().serializeNulls().create();
    for (String l; (l = in.readLine()) != null; ) out.println(gson.toJson(new Player(JsonParser.parseString(l).getAsJsonObject()).run()));
    out.flush();
  }
}
