import type { z } from 'zod'
import type { JobContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notify } from '../../comments/notifications/notifications.ts'
import { findDefinition } from '../connectors/connectors.ts'
import type { connectionBroken } from './jobs.ts'
import { findConnection } from './queries.ts'

type Payload = z.output<(typeof connectionBroken)['payload']>

/** Mails omit provider messages. */
export const mailBroken = (ctx: JobContext<'mail' | 'vault'>, { orgId, id, at }: Payload): Promise<void> =>
  ctx.transaction(async (inside) => {
    const row = await findConnection(inside.sql, orgId, id)
    if (row?.status !== 'expired') return
    const name = (await findDefinition(inside.sql, orgId, row.slug))?.name ?? row.slug
    const key = `connection-${id}-expired-${at}`
    await notify(
      inside,
      orgId,
      await recipientsOf(inside.sql, orgId, row),
      { kind: 'connection', key, path: `/integrations/${id}`, connectionId: id },
      ({ t, textWithNames }) => ({
        subject: textWithNames`The connection to ${name} has to be authorized again`,
        text: [
          textWithNames`${name} no longer accepts the credentials for ${row.ownerName}’s connection.`,
          t`Agents can’t use it, and endpoint events wait, until the owner connects it again.`,
          t`Open the connection: ${ctx.mail.linkTo(`/integrations/${id}`)}`,
        ].join('\n\n'),
      }),
    )
  })

const recipientsOf = (sql: Sql, orgId: string, { userId, shared }: { userId: string; shared: string }) => sql<
  { userId: string; email: string }[]
>`
  select u.id as "userId", u.email from memberships m join users u on u.id = m.user_id
  where m.org_id = ${orgId} and (u.id = ${userId} or (${shared} <> 'none' and m.role in ('owner', 'admin')))`
