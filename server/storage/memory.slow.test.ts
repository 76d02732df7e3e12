import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { startS3Server } from '../testing/fakes/s3-server.ts'

/** 64 MB altogether. */
const UPLOADS = 8
const CHUNKS = 128
const CHUNK_BYTES = 65_536
const PEAK_MB_MAX = 32

/**
 * The peak memory, in megabytes, of a separate process that stores eight bodies in parallel. Measured after a garbage
 * collection, because the store does not decide when Node collects.
 */
async function measurePeak(imports: string, storeExpression: string): Promise<number> {
  const code = `
    ${imports}
    const store = ${storeExpression}
    await store.check()
    const key = (n) => '00000000-0000-4000-8000-000000000000/' + String(n).padStart(32, '0')
    const usedBytes = () => {
      gc()
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      return heapUsed + arrayBuffers
    }
    const initialBytes = usedBytes()
    let peakBytes = initialBytes
    const content = async function* () {
      for (let i = 0; i < ${CHUNKS}; i++) {
        yield Buffer.alloc(${CHUNK_BYTES}, i)
        if (i % 32 === 31) peakBytes = Math.max(peakBytes, usedBytes())
      }
    }
    await Promise.all(Array.from({ length: ${UPLOADS} }, (_, n) => store.put(key(n), content())))
    process.stdout.write(String((peakBytes - initialBytes) / 2 ** 20))
  `
  const args = ['--expose-gc', '--input-type=module', '--eval', code]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return Number(stdout)
}

const pathOf = (file: string) => JSON.stringify(join(import.meta.dirname, file))

describe('eight concurrent uploads', () => {
  test('are not buffered in memory by the disk store', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'atrium-objects-'))
    const peak = await measurePeak(
      `import { diskStore } from ${pathOf('disk.ts')}
       import { createVault } from ${pathOf('../security/vault.ts')}`,
      `diskStore(${JSON.stringify(folder)}, createVault('a secret for tests, long enough to be one'))`,
    )
    await rm(folder, { recursive: true })
    expect(peak).toBeGreaterThan(0)
    expect(peak).toBeLessThan(PEAK_MB_MAX)
  })

  test('are not buffered in memory by the S3 store', async () => {
    const server = await startS3Server()
    const peak = await measurePeak(
      `import { s3Store } from ${pathOf('s3.ts')}`,
      `s3Store(${JSON.stringify(server.config)}, ${JSON.stringify(server.spoolFolder)})`,
    )
    await server.close()
    expect(peak).toBeGreaterThan(0)
    expect(peak).toBeLessThan(PEAK_MB_MAX)
  })
})
