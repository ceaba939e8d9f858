/** Saves generated text as a file of the browser. */
export function download(name: string, parts: readonly string[], type: string): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoking the URL right away can cancel the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
