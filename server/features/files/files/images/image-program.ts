import { ImageError, type ImageJob, type ImageOutcome } from './image-job.ts'

/** Receives a job, chunks and then `null`, and sends one outcome. Loads each library on demand. */
let job: ImageJob | null = null
let chunks: Uint8Array[] = []

process.on('message', (message: ImageJob | Uint8Array | null) => {
  if (message instanceof Uint8Array) chunks.push(message)
  else if (message !== null) job = message
  else void answer()
})
process.on('disconnect', () => process.exit())
// An exception outside a library's promise comes from the current file.
process.on('uncaughtException', (error) => send({ failed: reasonOf(error) }))

async function answer(): Promise<void> {
  const bytes = new Uint8Array(Buffer.concat(chunks))
  chunks = []
  try {
    send(await render(bytes, job!))
  } catch (error) {
    send({ failed: reasonOf(error) })
  }
}

async function render(bytes: Uint8Array, job: ImageJob): Promise<ImageOutcome> {
  switch (job.format) {
    case 'raster':
      return { image: await (await import('./raster.ts')).renderRaster(bytes, job) }
    case 'svg':
      return { image: await (await import('./svg.ts')).renderSvg(bytes, job) }
    case 'pdf':
      return (await import('./pdf-pages.ts')).renderPages(bytes, job)
  }
}

/** An allocation that WebAssembly refuses is a RangeError or RuntimeError. */
function reasonOf(error: unknown) {
  if (error instanceof ImageError) return error.reason
  return error instanceof RangeError || error instanceof WebAssembly.RuntimeError ? 'too_complex' : 'broken'
}

const send = (outcome: ImageOutcome) => process.send!(outcome)
