// SPDX-License-Identifier: Apache-2.0
package dev.muster.server;

import dev.muster.core.AcceleratorProfile;
import dev.muster.core.AcceleratorRegistry;
import dev.muster.core.DeviceFact;
import dev.muster.core.json.JsonValue;
import dev.muster.core.json.JsonValue.JsonNumber;
import dev.muster.core.json.JsonValue.JsonObject;
import dev.muster.monitor.DeviceEvent;
import dev.muster.monitor.Sampler.Sample;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// Sends samples to every subscriber, as server-sent events. An event is built once; a subscriber that does not keep
/// up gets the newest when it is ready, with an event before it that states how many it missed: nothing piles up.
/// Safe to share between threads.
final class EventStream {
    static final int MOST_SUBSCRIBERS = 2048;

    private static final int MOST_KEPT = 1 << 16;
    private static final byte[] NOTHING = {};
    private static final byte[] BEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Made newest;
    private volatile boolean closed;

    /// Returns the number of subscribers.
    int size() {
        return subscribers.size();
    }

    /// Adds a subscriber.
    ///
    /// @param ended called when it is over
    /// @throws Refusal if too many listen
    Subscriber add(Response response, Callback completion, Runnable ended) {
        if (closed || subscribers.size() >= MOST_SUBSCRIBERS) {
            throw Refusal.busy("too-many-subscribers", "too many clients are listening already", 5);
        }
        Subscriber subscriber = new Subscriber(response, completion, ended);
        subscribers.add(subscriber);
        return subscriber;
    }

    /// Sends a sample to all, behind the events of devices that it shows; fast, since it waits for no client.
    void tell(Sample sample, List<DeviceEvent> events) {
        if (!subscribers.isEmpty()) {
            byte[] told = events(events);
            byte[] event = made(sample);
            subscribers.forEach(each -> each.offer(told, event));
        }
    }

    private static byte[] events(List<DeviceEvent> events) {
        StringBuilder text = new StringBuilder();
        for (DeviceEvent event : events) {
            text.append("event: device\ndata: ").append(event.toJson().toText()).append("\n\n");
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Keeps connections alive between samples that are far apart.
    void beat() {
        subscribers.forEach(Subscriber::beat);
    }

    /// Ends every stream.
    void close() {
        closed = true;
        subscribers.forEach(Subscriber::end);
    }

    /// Returns the first event for a client: the newest sample, or that there is none yet.
    byte[] first(SampleDocuments documents) {
        return documents.find().map(this::made).orElse(BEAT);
    }

    /// Returns the event of a sample, built once.
    private byte[] made(Sample sample) {
        Made known = newest;
        if (known == null || known.number != sample.number()) {
            known = new Made(sample.number(), event(sample));
            newest = known;
        }
        return known.event;
    }

    private static final class Made {
        final long number;
        final byte[] event;

        Made(long number, byte[] event) {
            this.number = number;
            this.event = event;
        }
    }

    /// Returns the changing facts of every device, as `id`, `event` and one line of data.
    static byte[] event(Sample sample) {
        String data = JsonObject.document("sample")
                .put("number", sample.number())
                .put("at", sample.at().toString())
                .put("devices", devices(sample.registry()))
                .build()
                .toText();
        return ("id: " + sample.number() + "\nevent: sample\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    private static List<JsonValue> devices(AcceleratorRegistry registry) {
        List<JsonValue> devices = new ArrayList<>();
        for (AcceleratorProfile device : registry.profiles()) {
            JsonObject.ObjectBuilder facts =
                    JsonObject.builder().put("id", device.id().text());
            for (DeviceFact<?> fact : DeviceFact.all()) {
                if (fact.isVolatile()) {
                    OptionalDouble number = device.number(fact);
                    if (number.isPresent()) {
                        facts.put(fact.key(), JsonNumber.shortest(number.getAsDouble()));
                    } else if (fact.javaType() == String.class) {
                        device.reading(fact).find().ifPresent(text -> facts.put(fact.key(), String.valueOf(text)));
                    }
                }
            }
            devices.add(facts.build());
        }
        return devices;
    }

    /// One client: what is being written to it, and the newest that waits.
    final class Subscriber implements Callback {
        private final Response response;
        private final Callback completion;
        private final Runnable ended;
        private byte @Nullable [] waiting;
        /// Events of devices wait in full, unlike samples, up to a size.
        private byte[] kept = NOTHING;

        private long missed;
        private boolean begun;
        private boolean writing;
        private boolean over;

        private Subscriber(Response response, Callback completion, Runnable ended) {
            this.response = response;
            this.completion = completion;
            this.ended = ended;
        }

        /// Offers the newest sample to a new client, unless a newer one came meanwhile.
        void greet(byte[] event) {
            offer(NOTHING, event, true);
        }

        void offer(byte[] told, byte[] event) {
            offer(told, event, false);
        }

        private void offer(byte[] told, byte[] event, boolean isGreeting) {
            synchronized (this) {
                if (over || (isGreeting && begun)) {
                    return;
                }
                begun = true;
                if (writing) {
                    missed += waiting == null ? 0 : 1;
                    waiting = event;
                    kept = kept.length + told.length > MOST_KEPT ? kept : joined(kept, told);
                    return;
                }
                writing = true;
            }
            response.write(false, ByteBuffer.wrap(joined(told, event)), this);
        }

        void beat() {
            synchronized (this) {
                if (over || writing) {
                    return;
                }
                writing = true;
            }
            response.write(false, ByteBuffer.wrap(BEAT), this);
        }

        @Override
        public void succeeded() {
            byte[] next;
            synchronized (this) {
                byte[] event = waiting;
                if (over || event == null) {
                    writing = false;
                    return;
                }
                next = joined(missed == 0 ? kept : joined(lag(missed), kept), event);
                kept = NOTHING;
                waiting = null;
                missed = 0;
            }
            response.write(false, ByteBuffer.wrap(next), this);
        }

        @Override
        public void failed(Throwable cause) {
            if (leave()) {
                completion.failed(cause);
            }
        }

        /// Ends the stream on our side.
        void end() {
            if (leave()) {
                completion.succeeded();
            }
        }

        private boolean leave() {
            synchronized (this) {
                if (over) {
                    return false;
                }
                over = true;
                waiting = null;
            }
            subscribers.remove(this);
            ended.run();
            return true;
        }
    }

    private static byte[] lag(long missed) {
        return ("event: lag\ndata: {\"schema\":1,\"kind\":\"lag\",\"missed\":" + missed + "}\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] first, byte[] second) {
        if (first.length == 0) {
            return second;
        }
        byte[] both = new byte[first.length + second.length];
        System.arraycopy(first, 0, both, 0, first.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
