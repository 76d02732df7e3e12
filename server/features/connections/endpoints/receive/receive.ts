import { Readable } from 'node:stream'
import { ENDPOINT_LIMITS } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { PublicContext } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { ApiError, forbidden, notFound, unauthorized } from '../../../../errors.ts'
import { type Inbound, type RefusalReason, receive as receiveRequest } from '../../../../inbound/receive.ts'
import type { StoredEvent } from '../../../../inbound/store-event.ts'
import { answerUnverified, answerVerified, type CheckAnswer, echoParameter } from './answer-check.ts'
import { insertRefusal } from './receive-queries.ts'
import type { EndpointReceiver, EndpointReceivers } from './receivers.ts'
import { storeReceived } from './store-received.ts'

export const receive =
  (receivers: EndpointReceivers) =>
  async (
    ctx: PublicContext<'outbound' | 'quotas' | 'suspensions' | 'vault'>,
    input: InputOf<typeof connectorEndpoints.receive>,
  ) => {
    const { provider, endpointId, content, contentLength, headers, target, byteRequest: _, ...query } = input
    let endpoint: EndpointReceiver | null = null
    const inbound: Inbound<EndpointReceiver, readonly StoredEvent[], CheckAnswer> = {
      bytesMax: ENDPOINT_LIMITS.bodyBytes,
      find: async (options) => {
        const found = await receivers.find(ctx, endpointId, options)
        endpoint = found?.source === provider ? found : null
        return endpoint
      },
      answer: async (receiver, request, isVerified) =>
        isVerified ? answerVerified(receiver, request) : answerUnverified(ctx, receiver, request, query),
      store: storeReceived,
      record: ({ sql }, receiver, refusal) => insertRefusal(sql, receiver.orgId, receiver, refusal),
    }
    const url = ctx.origin.baseUrl + target
    const outcome = await receiveRequest(ctx, inbound, { url, headers, content, contentLength })
    switch (outcome.kind) {
      case 'stored':
        return acknowledge(endpoint!)
      case 'answered':
        return respond(outcome.answer)
      case 'handshake':
        return respond({ contentType: JSON_TYPE, body: JSON.stringify({ challenge: outcome.challenge }) })
      case 'refused':
        throw refusalError(endpoint!, outcome.reason)
      case 'not_found':
        throw notFound('Endpoint')
      case 'conflict':
        throw new ApiError('CONFLICT', 'The endpoint was changed at the same time: send the event again')
    }
  }

/** By GET or HEAD. */
export const checkUrl =
  (receivers: EndpointReceivers) =>
  async (ctx: PublicContext<'outbound' | 'vault'>, input: InputOf<typeof connectorEndpoints.checkUrl>) => {
    const { provider, endpointId, byteRequest: _, ...query } = input
    const endpoint = await receivers.find(ctx, endpointId, { fresh: true })
    if (endpoint?.source !== provider) throw notFound('Endpoint')
    const echoed = echoParameter(endpoint, query)
    if (echoed) return respond(echoed)
    if (endpoint.receiver.handshake?.by !== 'ignored') throw notFound('Endpoint')
    return respond({ contentType: null, body: '' })
  }

const JSON_TYPE = 'application/json; charset=utf-8'

const acknowledge = ({ receiver: { response } }: EndpointReceiver) =>
  respond({ contentType: response?.contentType ?? null, body: response?.body ?? '' }, response?.status)

function respond({ contentType, body, headers = {} }: CheckAnswer, status = 200) {
  const type: Record<string, string> =
    body === '' || contentType === null ? {} : { 'content-type': contentType }
  return reply(null, {
    status,
    bytes: {
      content: body === '' ? null : Readable.from([Buffer.from(body)]),
      headers: { 'cache-control': 'no-store', ...headers, ...type },
    },
  })
}

function refusalError({ receiver: { proof } }: EndpointReceiver, reason: RefusalReason): ApiError {
  if (reason === 'too_large')
    return new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${ENDPOINT_LIMITS.bodyBytes} bytes`, {
      details: { reason },
    })
  const message = 'The request could not be verified as coming from this endpoint’s provider'
  const isForbidden = proof.by === 'signature' && proof.rejection === 403
  return isForbidden ? forbidden(message, { reason }) : unauthorized(message, { reason })
}
