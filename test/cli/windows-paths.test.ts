import { expect, test, vi } from "vitest";

// The path functions of the command, with the paths of Windows.
vi.mock("node:path", async () => {
  const { win32 } = await vi.importActual<typeof import("node:path")>("node:path");
  return { ...win32, default: win32 };
});

const { fromSlashes, isWithin, shownPath, toSlashes } = await import("../../packages/cli/src/files/read-files.ts");

test.each([
  ["C:\\fleet\\a.vmx", "C:\\fleet", "a.vmx"],
  ["C:\\fleet\\site 1\\a.vmx", "C:\\fleet", "site 1/a.vmx"],
  ["C:\\other\\a.vmx", "C:\\fleet", "../other/a.vmx"],
  ["D:\\a.vmx", "C:\\fleet", "D:/a.vmx"],
  ["\\\\server\\share\\a.vmx", "C:\\fleet", "//server/share/a.vmx"],
  ["C:\\fleet", "C:\\fleet", "."],
])("a report shows %s from %s as %s", (path, cwd, name) => expect(shownPath(path, cwd)).toBe(name));

test.each([
  ["C:\\fleet\\a.vmx", "C:\\fleet", true],
  ["C:\\fleet", "C:\\fleet", true],
  ["C:\\fleet2\\a.vmx", "C:\\fleet", false],
  ["C:\\a.vmx", "C:\\", true],
  ["D:\\a.vmx", "C:\\", false],
])("%s lies in %s: %s", (path, folder, is) => expect(isWithin(path, folder)).toBe(is));

test("paths go to the core with slashes, and come back", () => {
  expect(toSlashes("C:\\fleet\\a.vmx")).toBe("C:/fleet/a.vmx");
  expect(fromSlashes("C:/fleet/a.vmx")).toBe("C:\\fleet\\a.vmx");
});
