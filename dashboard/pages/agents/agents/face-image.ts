/** Sharp at the largest face, on screens with four pixels for one. */
const SIDE_PX = 256

/** The middle square, as base64. Redrawn, so location and other metadata stay behind. Null if it's no image. */
export async function toFaceImage(file: File): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return null
  const side = Math.min(image.width, image.height)
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX)
  const drawing = canvas.getContext('2d')!
  drawing.imageSmoothingQuality = 'high'
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2]
  drawing.drawImage(image, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX)
  image.close()
  // Safari writes PNG instead.
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
  return toBase64(new Uint8Array(await blob.arrayBuffer()))
}

function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters)
}
