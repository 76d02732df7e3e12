import { type ConnectionDependencies, openConnection } from '../../connections/connections.ts'
import { sendRequest } from '../../connectors/connectors.ts'
import type { EndpointOptions } from '../dependencies.ts'
import type { EndpointReceiver } from '../receive/receivers.ts'
import type { PendingEvent } from './event-queries.ts'

/** Shows people at the provider that an answer is being written. No caller waits for it, and failures are ignored. */
export function showTyping(
  { log }: Pick<EndpointOptions, 'log'>,
  deps: ConnectionDependencies,
  { orgId, receiver, connectionId }: EndpointReceiver & { connectionId: string },
  { record, id }: PendingEvent,
): void {
  const request = receiver.typing?.(record)
  if (!request) return
  openConnection(deps, orgId, connectionId)
    .then((target) => sendRequest(deps.outbound, target, request))
    .catch((err: unknown) =>
      log.debug({ err, eventId: id }, 'could not show that an answer is being written'),
    )
}
