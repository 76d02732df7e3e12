import routes from 'virtual:routes'
import { type ApiFailure, createClient } from '../../client/client.ts'
import type { Contract } from '../../contract/index.ts'
import { noteReachable } from './reachability.ts'
import { methodsIn, requestStepUp } from './step-up.ts'

/** The API for signed-in pages: it asks to step up where needed, and leaves for sign-in when the session is over. */
export const api = createClient<Contract>(routes, { baseUrl: '', fetch: observedFetch, retry: recover })

/** The API for the doors themselves (setup, sign-in, step-up), where a refusal is an answer to show. */
export const publicApi = createClient<Contract>(routes, { baseUrl: '', fetch: observedFetch })

/** The API for somebody who came by a share link: what a ticket opens, and nothing else. */
export const guestApi = (headers: () => Record<string, string>) =>
  createClient<Contract>(routes, { baseUrl: '', fetch: observedFetch, headers })

let leave = () => {}

/** Says what happens when a call finds that nobody is signed in any more. */
export function onSignedOut(action: () => void) {
  leave = action
}

async function recover(failure: ApiFailure): Promise<boolean> {
  if (failure.reason === 'step_up_required') return requestStepUp(methodsIn(failure))
  if (failure.code === 'UNAUTHORIZED') leave()
  return false
}

async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(input, init)
    noteReachable(true)
    return response
  } catch (error) {
    if (!init?.signal?.aborted) noteReachable(false)
    throw error
  }
}
