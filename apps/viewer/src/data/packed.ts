// Unpacks numbers and bytes from the server.

/** Reads little-endian numbers from base64. */
export function floats(packed: string): Float32Array {
  return new Float32Array(bytes(packed));
}

export function words(packed: string): Uint16Array {
  return new Uint16Array(bytes(packed));
}

export function integers(packed: string): Uint32Array {
  return new Uint32Array(bytes(packed));
}

export function bytes(packed: string): ArrayBuffer {
  const text = atob(packed);
  const all = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) all[i] = text.charCodeAt(i);
  return all.buffer;
}
