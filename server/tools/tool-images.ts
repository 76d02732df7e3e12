/** An image of a stored file. Whoever shows it reads the bytes, so that conversations don't contain them. */
export interface ToolImage {
  fileId: string
  version: number
  /** Of a PDF. */
  page?: number
  mimeType: string
  width: number
  height: number
}

/**
 * A tool's output with images beside it. A class, because outputs may repeat what other servers sent: JSON can't name a
 * file that the caller may not see.
 */
export class OutputWithImages {
  readonly output: unknown
  readonly images: readonly ToolImage[]

  constructor(output: unknown, images: readonly ToolImage[]) {
    this.output = output
    this.images = images
  }
}

export const separateImages = (result: unknown): { output: unknown; images: readonly ToolImage[] } =>
  result instanceof OutputWithImages
    ? { output: result.output, images: result.images }
    : { output: result, images: [] }
