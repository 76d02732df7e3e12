import type { SignatureScheme } from '../../../../signatures/scheme.ts'
import type { RequestTemplate } from './template.ts'

/** How events of a provider are received. */
export interface ReceiverDefinition {
  kind: 'messaging' | 'chat' | 'telephony' | 'mailbox' | 'code' | 'issues' | 'payments' | 'other'
  proof: Proof
  /** Responses to the provider's own checks of the URL, beyond those of the signature scheme. */
  handshake?: Handshake
  /** Normalized event keys, such as `slack.message`, with their descriptions. */
  events: Readonly<Record<string, string>>
  /** The response to an event that the provider expects. Default: an empty 200. */
  response?: { status: number; contentType: string; body: string }
  /** Whether the provider reports that the registration ends, or has ended: it is renewed immediately. */
  announcesEnd?: (event: ReceivedEvent) => boolean
  /** Several records if one request has several events. */
  normalize: (event: ReceivedEvent) => readonly NormalizedEvent[]
  /**
   * Replies have a mark by which `normalize` filters their echoes; other events of the connected account are those of
   * its owner. Without it, all events of the account are ignored.
   */
  marksReplies?: true
  /** For providers whose events contain only an id. Needs the connection, so it happens before the run, not on receipt. */
  fetch?: EventFetch
  /** The session that an event belongs to, as a template over the normalized event. */
  sessionKey: string
  /**
   * How the answer of the agent is sent to the thread of the event; absent: replies are off. Several requests, sent in
   * order, where the provider limits the length of a message.
   */
  reply?: (event: NormalizedEvent, text: string) => RequestTemplate | readonly RequestTemplate[]
  /** Shows that an answer is being written. */
  typing?: (event: NormalizedEvent) => RequestTemplate | null
  setup: Registration | ManualSetup
}

/** Completes a record with the response of the provider. */
export interface EventFetch {
  /** Null: the record is complete. */
  request: (event: NormalizedEvent, kept: Readonly<Record<string, string>>) => RequestTemplate | null
  /**
   * The records that replace the event, in order; `request` is called for each of them too. None if nothing is left to
   * do. Their external ids are unique within the endpoint. `keep` is merged into the stored values of the endpoint,
   * such as a cursor.
   */
  complete: (
    event: NormalizedEvent,
    answer: unknown,
    received: Pick<ReceivedEvent, 'account' | 'kept'>,
  ) => FetchedEvents
  /** The provider answered 404. By default the record is ignored: its subject was deleted. */
  gone?: (event: NormalizedEvent) => FetchedEvents
}

interface FetchedEvents {
  events: readonly NormalizedEvent[]
  keep?: Record<string, string>
}

/** The steps of a person at the provider. `{url}` is the URL of the endpoint and `{secret}` its generated secret. */
export interface ManualSetup {
  by: 'hand'
  steps: readonly string[]
  /** A text to paste at the provider, such as an app manifest. */
  paste?: { label: string; text: string }
}

/** How a request proves that the provider sent it. */
export type Proof =
  | { by: 'signature'; schemes: readonly SignatureScheme[]; secret: SecretSource; rejection?: 401 | 403 }
  /** An ID token of Google in the `authorization` header, for the email address in this field of the registration. */
  | { by: 'google-token'; emailField: string }
  /**
   * A field of the JSON body equals the secret: `clientState` of Graph, `passcode` of Figma. `*` is every item of a list,
   * which has at least one: `value.*.clientState`.
   */
  | { by: 'body-field'; path: string; secret: SecretSource }

export type SecretSource =
  /** `orClient`: the secret of the OAuth client is accepted too, for hooks that the OAuth app registered. */
  | { from: 'generated'; orClient?: true }
  | { from: 'credential'; key: string }
  | { from: 'entered'; label: string; hint: string }
  /** The provider creates it when the endpoint is registered: `secret` of the registration. */
  | { from: 'registration' }
  /** The secret of the OAuth client with which the connection was made. */
  | { from: 'client' }
  /** The provider sends it once to the endpoint: in this header, or at this path of the body. */
  | { from: 'handshake'; header?: string; path?: string }

/** `equals: 'secret'` is the generated secret of the endpoint, also where the proof uses another one. */
export type Handshake =
  | { by: 'query-echo'; parameter: string; verify?: { parameter: string; equals: 'secret' } }
  | { by: 'body-type'; path: string; equals: unknown; respond: unknown }
  | { by: 'header-echo'; header: string }
  /** The provider checks the URL by HEAD or by an event without content. */
  | { by: 'ignored'; header?: string; path?: string; equals?: unknown }

export interface ReceivedEvent {
  headers: Readonly<Record<string, string | undefined>>
  /** The JSON or form body, parsed. */
  body: unknown
  /** The connected account, such as a bot: echoes are recognized by its id. */
  account: { id: string | null }
  /** Stored values of the connection and of the registration of the endpoint. */
  kept: Readonly<Record<string, string>>
}

export interface NormalizedEvent {
  /** `slack.message` */
  eventKey: string
  /** Unique within the endpoint. */
  externalId: string
  /** `edited` and `deleted` refer to an earlier event by `targetId`. */
  change: 'created' | 'edited' | 'deleted'
  targetId: string | null
  actor: { id: string | null; name: string | null; isBot: boolean }
  text: string | null
  /** The chat, thread, issue or customer. */
  thread: string
  resource: { type: string; id: string; url: string | null } | null
  /** The values that `reply` needs to answer in the same thread. */
  replyTo: Readonly<Record<string, string | number>>
}

/** The input of a registration. */
export interface RegisteredEndpoint {
  url: string
  secret: string
  events: readonly string[]
  config: Readonly<Record<string, string>>
  now: Date
}

/** A registration by the provider's API. Registering again changes the registration and never adds a second one. */
export interface Registration {
  by: 'api'
  register: (endpoint: RegisteredEndpoint) => {
    request: RequestTemplate
    /** The stored values with which it is changed or removed. */
    keep?: (answer: unknown) => Record<string, string>
    /** The secret that the provider created, for `from: 'registration'`. */
    secret?: (answer: unknown) => string | undefined
  }
  /**
   * Finds the registration of the URL after the response to an earlier request was lost: its values to store, or null.
   * For providers that would add a second registration, or refuse it.
   */
  find?: (endpoint: RegisteredEndpoint) => {
    request: RequestTemplate
    keep: (answer: unknown) => Record<string, string> | null
  }
  /** For a provider whose answer to the registration lacks the secret. */
  readSecret?: (
    kept: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>>,
  ) => { request: RequestTemplate; secret: (answer: unknown) => string | undefined }
  /** Changes or renews it. For an unknown registration the provider answers 404: it is registered again. */
  update?: (kept: Readonly<Record<string, string>>, endpoint: RegisteredEndpoint) => RequestTemplate
  unregister: (
    kept: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>>,
  ) => RequestTemplate
  /** The fields in which a person enters the source of events: a repository, a team. */
  fields?: readonly { key: string; label: string; hint: string; required: boolean; pattern?: string }[]
  /** Further steps at the provider, with `{url}` and `{secret}`. */
  steps?: readonly string[]
  /** A registration that ends after some time is renewed after this many days. */
  renewDays?: number
}
