import { type Context, createContext, type PublicContext } from '../../../context.ts'
import { resolveActingMember } from '../../agents/outside-messages/outside-messages.ts'
import type { VoiceAgentRow } from './voice-agent-queries.ts'

/** Why there is no context of the owner. */
export const NO_ACCESS = 'The owner of the voice agent can no longer edit the project.'

/** A context with the rights that the owner of a voice agent has now; null if the owner can no longer edit the project. */
export async function contextOfOwner(
  ctx: PublicContext,
  { orgId, id, ownerId, projectId }: Pick<VoiceAgentRow, 'orgId' | 'id' | 'ownerId' | 'projectId'>,
): Promise<Context | null> {
  const { caller } = await resolveActingMember(ctx.sql, orgId, {
    userId: ownerId,
    projectId,
    credentialId: id,
  })
  return caller && createContext({ ...ctx, caller })
}
