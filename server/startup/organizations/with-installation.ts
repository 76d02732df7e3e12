import { openInstallation, requireInstalled } from '../../backup/installation.ts'
import { readConfig } from '../../config/config.ts'
import { createContext, type PublicContext } from '../../context.ts'
import { createLog } from '../../log.ts'
import { createVault } from '../../security/vault.ts'
import { openObjects } from '../../storage/open.ts'
import { createSuspensions } from '../../suspensions/suspensions.ts'
import { requireSecret } from '../data-folder.ts'

type CommandContext = Pick<
  PublicContext,
  'sql' | 'now' | 'origin' | 'transaction' | 'suspensions' | 'objects' | 'vault'
>

/** Runs `work` on the database and the objects of the installation, beside a server that may be running. */
export async function withInstallation<T>(work: (ctx: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig()
  const vault = createVault(await requireSecret(config))
  const installation = await openInstallation(config, 'orgs')
  try {
    const { pool } = installation
    await requireInstalled(pool, vault)
    const unused = null as never
    return await work(
      createContext({
        caller: null,
        origin: { ip: 'command line', userAgent: null, baseUrl: config.publicUrl ?? '', flowSecret: null },
        sql: pool,
        now: () => new Date(),
        vault,
        objects: await openObjects(config, vault),
        suspensions: createSuspensions(pool, pool, await createLog(config.logLevel)),
        ...{ outbound: unused, mail: unused, quotas: unused },
      }),
    )
  } finally {
    await installation.close()
  }
}
