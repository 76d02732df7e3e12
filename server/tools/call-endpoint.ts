import type { Endpoint, OutputOf } from '../../contract/endpoint.ts'
import { nameOf } from '../../contract/index.ts'
import { ApiError } from '../errors.ts'
import type { EndpointInput, ToolCall } from './tool.ts'

type Invoker = Pick<ToolCall, 'invoke'>

/** Calls an endpoint as the run, and returns its output without the envelope. */
export async function callEndpoint<E extends Endpoint>(
  { invoke }: Invoker,
  endpoint: E,
  input: EndpointInput = {},
): Promise<OutputOf<E>> {
  const body = await invoke(nameOf(endpoint)!, input)
  return (endpoint.envelope ? (body as { data: unknown }).data : body) as OutputOf<E>
}

/** Like `callEndpoint`; null if the record does not exist for the run. */
export async function findByEndpoint<E extends Endpoint>(
  call: Invoker,
  endpoint: E,
  input: EndpointInput,
): Promise<OutputOf<E> | null> {
  return callEndpoint(call, endpoint, input).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  })
}
