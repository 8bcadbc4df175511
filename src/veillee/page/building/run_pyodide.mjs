// node run_pyodide.mjs PYODIDE FOLDER SCRIPT: runs main() of a Python script in Pyodide, with FOLDER mounted at /lay.
import { readFileSync } from "node:fs";
const [pyodide, folder, script] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const py = await loadPyodide({ indexURL: `${pyodide}/`, packages: [], env: { HOME: "/home", VEILLEE_ENGINES: "off" } });
py.FS.mkdirTree("/lay");
py.FS.mount(py.FS.filesystems.NODEFS, { root: folder }, "/lay");
try {
  await py.runPythonAsync(`${readFileSync(script, "utf-8")}\nawait main()\n`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
process.exit(0); // timers of the house would keep it waiting
