/* SPDX-License-Identifier: MIT */
/* shout: work counters from C#, by P/Invoke. Copies a text in capitals, and
 * counts its lines and bytes while it does.
 *
 *     mono shout.exe < text
 *
 * Build (mono-mcs and mono-runtime in Debian):
 *     mcs shout.cs
 *
 * An installation of your own is found by LD_LIBRARY_PATH.
 */
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Text;

/// What libsluice says is wrong.
public class SluiceException : Exception {
	public SluiceException(string message) : base(message) {}
}

/// Counters of this program, from any thread.
public class Counters : IDisposable {
	const string Library = "libsluice.so.1";

	/// struct sl_counter_def
	public struct Definition {
		public string Name, Unit;
		public double Scale;
	}

	/// struct sl_error
	struct Error {
		public int Code, Line;
		public long InputLine;
		[MarshalAs(UnmanagedType.ByValTStr, SizeConst = 64)]
		public string File;
		[MarshalAs(UnmanagedType.ByValTStr, SizeConst = 256)]
		public string Input;
		[MarshalAs(UnmanagedType.ByValTStr, SizeConst = 512)]
		public string Message;
	}

	[DllImport(Library)]
	static extern int sl_counters_create(out IntPtr counters,
		string program, Definition[] definitions, UIntPtr count,
		out Error error);
	[DllImport(Library)]
	static extern void sl_counters_destroy(IntPtr counters);
	[DllImport(Library)]
	static extern void sl_counter_add(IntPtr counters, UIntPtr index,
		ulong amount);
	[DllImport(Library)]
	static extern void sl_counter_set_double(IntPtr counters,
		UIntPtr index, double value);

	IntPtr handle;

	public Counters(string program, params Definition[] definitions)
	{
		Error error;

		if (sl_counters_create(out handle, program, definitions,
				(UIntPtr)definitions.Length, out error) != 0)
			throw new SluiceException(error.Message);
	}

	public void Add(uint index, ulong amount)
	{
		sl_counter_add(handle, (UIntPtr)index, amount);
	}

	public void SetDouble(uint index, double value)
	{
		sl_counter_set_double(handle, (UIntPtr)index, value);
	}

	/// The other threads have ended by then.
	public void Dispose()
	{
		sl_counters_destroy(handle);
		handle = IntPtr.Zero;
	}
}

public static class Shout {
	const uint Lines = 0, Bytes = 1, MeanLine = 2;

	static Counters.Definition Counter(string name, string unit)
	{
		return new Counters.Definition {
			Name = name, Unit = unit, Scale = 1
		};
	}

	static void Copy()
	{
		var utf8 = new UTF8Encoding(false);
		var input = new StreamReader(Console.OpenStandardInput(), utf8);
		var output = new StreamWriter(Console.OpenStandardOutput(),
			utf8) { AutoFlush = true };
		ulong lines = 0, bytes = 0;
		string line;

		using (var counters = new Counters("shout",
				Counter("lines", "line"), Counter("bytes", "B"),
				Counter("mean_line", "B"))) {
			while ((line = input.ReadLine()) != null) {
				ulong size = (ulong)utf8.GetByteCount(line) + 1;

				lines += 1;
				bytes += size;
				counters.Add(Lines, 1);
				counters.Add(Bytes, size);
				counters.SetDouble(MeanLine,
					(double)bytes / lines);
				output.WriteLine(line.ToUpperInvariant());
			}
		}
	}

	public static int Main()
	{
		try {
			Copy();
			return 0;
		} catch (SluiceException error) {
			Console.Error.WriteLine("shout: " + error.Message);
			return 1;
		}
	}
}
