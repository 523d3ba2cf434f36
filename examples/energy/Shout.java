/* SPDX-License-Identifier: MIT */
/* Shout: work counters from Java, by JNA. Copies a text in capitals, and counts
 * its lines and bytes while it does.
 *
 *     java -cp /usr/share/java/jna.jar Shout.java < text
 *
 * Java 11 and newer run the source as it is; Debian has jna.jar in libjna-java.
 * An installation of your own is found by LD_LIBRARY_PATH.
 */
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import com.sun.jna.ptr.PointerByReference;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

public class Shout {
	/** What is needed of libsluice. A size_t is as wide as C's long. */
	public interface Sluice extends Library {
		Sluice LIBRARY = Native.load("libsluice.so.1", Sluice.class);

		@FieldOrder({"name", "unit", "scale"})
		class Definition extends Structure {
			public String name, unit;
			public double scale;
		}

		@FieldOrder({"code", "line", "inputLine", "file", "input",
			     "message"})
		class Error extends Structure {
			public int code, line;
			public long inputLine;
			public byte[] file = new byte[64];
			public byte[] input = new byte[256];
			public byte[] message = new byte[512];
		}

		int sl_counters_create(PointerByReference counters,
				       String program, Definition[] definitions,
				       NativeLong count, Error error);
		void sl_counters_destroy(Pointer counters);
		void sl_counter_add(Pointer counters, NativeLong index,
				    long amount);
		void sl_counter_set_double(Pointer counters, NativeLong index,
					   double value);
	}

	/** Counters of this program, from any thread. */
	public static class Counters implements AutoCloseable {
		private Pointer handle;

		/** Each counter is a name and a unit. */
		public Counters(String program, String[]... counters)
			throws IOException {
			var made = new PointerByReference();
			var error = new Sluice.Error();
			var definitions = (Sluice.Definition[])
				new Sluice.Definition().toArray(
					counters.length);

			for (int at = 0; at < counters.length; at++) {
				definitions[at].name = counters[at][0];
				definitions[at].unit = counters[at][1];
				definitions[at].scale = 1;
			}
			if (Sluice.LIBRARY.sl_counters_create(
				    made, program, definitions,
				    new NativeLong(counters.length), error)
			    != 0)
				throw new IOException(
					Native.toString(error.message));
			handle = made.getValue();
		}

		public void add(long index, long amount) {
			Sluice.LIBRARY.sl_counter_add(
				handle, new NativeLong(index), amount);
		}

		public void setDouble(long index, double value) {
			Sluice.LIBRARY.sl_counter_set_double(
				handle, new NativeLong(index), value);
		}

		/** The other threads have ended by then. */
		@Override
		public void close() {
			Sluice.LIBRARY.sl_counters_destroy(handle);
			handle = null;
		}
	}

	private static final int LINES = 0, BYTES = 1, MEAN_LINE = 2;

	private static void shout() throws IOException {
		var utf8 = StandardCharsets.UTF_8;
		var in = new BufferedReader(
			new InputStreamReader(System.in, utf8));
		var out = new PrintStream(System.out, true, utf8);
		long lines = 0, bytes = 0;

		try (var counters = new Counters(
			     "shout", new String[] {"lines", "line"},
			     new String[] {"bytes", "B"},
			     new String[] {"mean_line", "B"})) {
			for (String line; (line = in.readLine()) != null;) {
				int size = line.getBytes(utf8).length + 1;

				lines += 1;
				bytes += size;
				counters.add(LINES, 1);
				counters.add(BYTES, size);
				counters.setDouble(MEAN_LINE,
						   (double)bytes / lines);
				out.println(line.toUpperCase(Locale.ROOT));
			}
		}
	}

	public static void main(String[] arguments) {
		try {
			shout();
		} catch (IOException error) {
			System.err.println("shout: " + error.getMessage());
			System.exit(1);
		}
	}
}
