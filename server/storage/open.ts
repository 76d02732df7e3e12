import { join } from 'node:path'
import { refuseInTransaction, releaseClient } from '../concurrency/work-scope.ts'
import type { Config } from '../config/config.ts'
import type { Vault } from '../security/vault.ts'
import { diskStore } from './disk.ts'
import type { ObjectStore } from './object-store.ts'
import type { Deadlines } from './s3.ts'

export async function openObjects(
  { objects, dataFolder }: Pick<Config, 'objects' | 'dataFolder'>,
  vault: Vault,
  deadlines?: Deadlines,
): Promise<ObjectStore> {
  const folder = join(dataFolder, 'objects')
  const store =
    objects.kind === 'disk' ? diskStore(folder, vault) : await openBucket(objects, folder, deadlines)
  await store.check()
  return outsideTransactions(store)
}

/** A bucket may take a minute to respond, and signing a URL may have to fetch credentials. */
function outsideTransactions(store: ObjectStore): ObjectStore {
  const refuse = () => refuseInTransaction('object storage')
  const guard =
    <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      refuse()
      return method(...args)
    }
  return {
    ...store,
    put: guard((...args) => {
      releaseClient()
      return store.put(...args)
    }),
    get: guard(store.get),
    size: guard(store.size),
    copy: guard(store.copy),
    remove: guard(store.remove),
    readUrl: guard(store.readUrl),
    writeUrl: guard(store.writeUrl),
    ping: guard(store.ping),
  }
}

/** Lazy: the SDK is large, and most servers store objects on disk. */
async function openBucket(
  config: Extract<Config['objects'], { kind: 's3' }>,
  spoolFolder: string,
  deadlines?: Deadlines,
): Promise<ObjectStore> {
  const { s3Store } = await import('./s3.ts')
  return s3Store(config, spoolFolder, deadlines)
}
