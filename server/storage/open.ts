import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Vault } from '../security/vault.ts'
import { diskStore } from './disk.ts'
import type { ObjectStore } from './object-store.ts'
import type { Deadlines } from './s3.ts'

/** Opens the configured store and checks that it works. */
export async function openObjects(
  { objects, dataFolder }: Pick<Config, 'objects' | 'dataFolder'>,
  vault: Vault,
  deadlines?: Deadlines,
): Promise<ObjectStore> {
  const folder = join(dataFolder, 'objects')
  const store =
    objects.kind === 'disk' ? diskStore(folder, vault) : await openBucket(objects, folder, deadlines)
  await store.check()
  return store
}

/** Imported on demand: the SDK is large, and most servers store objects on disk. */
async function openBucket(
  config: Extract<Config['objects'], { kind: 's3' }>,
  spoolFolder: string,
  deadlines?: Deadlines,
): Promise<ObjectStore> {
  const { s3Store } = await import('./s3.ts')
  return s3Store(config, spoolFolder, deadlines)
}
