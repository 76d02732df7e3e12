import type { SignatureScheme } from '../../../../signatures/scheme.ts'
import type { RequestTemplate, Scope } from './template.ts'

export interface ReceiverDefinition {
  kind: 'messaging' | 'chat' | 'telephony' | 'mailbox' | 'code' | 'issues' | 'payments' | 'other'
  proof: Proof
  /** URL checks beyond the signature scheme's. */
  handshake?: Handshake
  /** Such as `slack.message`, with descriptions. */
  events: Readonly<Record<string, string>>
  /** Default: an empty 200. */
  response?: { status: number; contentType: string; body: string }
  /** True if the registration ends or has ended. It is then renewed immediately. */
  announcesEnd?: (event: ReceivedEvent) => boolean
  /** One request may contain several events. */
  normalize: (event: ReceivedEvent) => readonly NormalizedEvent[]
  /**
   * Marks let `normalize` filter echoes, so other events are the account owner's. Without it, all the account's events
   * are ignored.
   */
  marksReplies?: true
  /** For events with only an id. Needs the connection, so it runs later, not on receipt. */
  fetch?: EventFetch
  /** A template over the normalized event. */
  sessionKey: string
  /** Absent: replies are off. Several requests, in order, where the provider limits message length. */
  reply?: (event: NormalizedEvent, text: string) => RequestTemplate | readonly RequestTemplate[]
  typing?: (event: NormalizedEvent) => RequestTemplate | null
  /** How to get a message's images. */
  images?: ImageSource
  setup: Registration | ManualSetup
}

export interface ImageSource {
  /** Where the provider tells an image's address only on request. Addresses don't last, so it is asked each time. */
  locate?: { request: (ref: string) => RequestTemplate; addressIn: (answer: unknown) => string | null }
  /** Null if the address isn't one. */
  download: (address: string) => AddressRequest | null
  /** Where the answer is JSON: the path of the content, in base64. */
  contentAt?: string
  /** The message doesn't say the type. */
  isTypeInAnswer?: true
}

export interface AddressRequest {
  request: RequestTemplate
  input: Scope
  /** Signed, and at another host, which doesn't get the credentials. */
  isPublic?: true
}

export interface EventImage {
  /** An id or an address. */
  ref: string
  mimeType: string
  /** Once it is stored. */
  fileId?: string
  /** Why it isn't. */
  refused?: string
}

export interface EventFetch {
  /** Null: the record is complete. */
  request: (event: NormalizedEvent, kept: Readonly<Record<string, string>>) => RequestTemplate | null
  /**
   * Returns the records that replace the event, in order. `request` is called for each too. External ids are unique
   * within the endpoint. `keep` is merged into the endpoint's stored values, such as a cursor.
   */
  complete: (
    event: NormalizedEvent,
    answer: unknown,
    received: Pick<ReceivedEvent, 'account' | 'kept'>,
  ) => FetchedEvents
  /** After a 404. By default ignored: the subject was deleted. */
  gone?: (event: NormalizedEvent) => FetchedEvents
}

interface FetchedEvents {
  events: readonly NormalizedEvent[]
  keep?: Record<string, string>
}

/** `{url}` is the endpoint's URL and `{secret}` its generated secret. */
export interface ManualSetup {
  by: 'hand'
  steps: readonly string[]
  /** Such as an app manifest. */
  paste?: { label: string; text: string }
}

export type Proof =
  | { by: 'signature'; schemes: readonly SignatureScheme[]; secret: SecretSource; rejection?: 401 | 403 }
  /** A Google ID token in `authorization`, for this registration field's email address. */
  | { by: 'google-token'; emailField: string }
  /** Graph's `clientState`, Figma's `passcode`. `*` means every item in a non-empty list: `value.*.clientState`. */
  | { by: 'body-field'; path: string; secret: SecretSource }

export type SecretSource =
  /** `orClient`: for hooks the OAuth app registered. */
  | { from: 'generated'; orClient?: true }
  | { from: 'credential'; key: string }
  | { from: 'entered'; label: string; hint: string }
  /** Created by the provider. */
  | { from: 'registration' }
  /** The OAuth client that made the connection. */
  | { from: 'client' }
  /** Sent once, in this header or body path. */
  | { from: 'handshake'; header?: string; path?: string }

/** `equals: 'secret'`: the generated secret, even where the proof uses another. */
export type Handshake =
  | { by: 'query-echo'; parameter: string; verify?: { parameter: string; equals: 'secret' } }
  | { by: 'body-type'; path: string; equals: unknown; respond: unknown }
  | { by: 'header-echo'; header: string }
  /** By HEAD or with an empty event. */
  | { by: 'ignored'; header?: string; path?: string; equals?: unknown }

export interface ReceivedEvent {
  headers: Readonly<Record<string, string | undefined>>
  body: unknown
  /** Its id identifies echoes. */
  account: { id: string | null }
  /** For the connection and the registration. */
  kept: Readonly<Record<string, string>>
}

export interface NormalizedEvent {
  /** Such as `slack.message`. */
  eventKey: string
  /** Unique within the endpoint. */
  externalId: string
  /** `targetId` is the earlier event. */
  change: 'created' | 'edited' | 'deleted'
  targetId: string | null
  actor: { id: string | null; name: string | null; isBot: boolean }
  text: string | null
  /** The chat, thread, issue or customer. */
  thread: string
  resource: { type: string; id: string; url: string | null } | null
  replyTo: Readonly<Record<string, string | number>>
  images?: readonly EventImage[]
}

export interface RegisteredEndpoint {
  url: string
  secret: string
  events: readonly string[]
  config: Readonly<Record<string, string>>
  now: Date
}

/** Registering again never adds a second one. */
export interface Registration {
  by: 'api'
  register: (endpoint: RegisteredEndpoint) => {
    request: RequestTemplate
    /** Values needed to change or remove it. */
    keep?: (answer: unknown) => Record<string, string>
    secret?: (answer: unknown) => string | undefined
  }
  /** Finds the URL's registration after a lost response, for providers that would add a second one or refuse it. */
  find?: (endpoint: RegisteredEndpoint) => {
    request: RequestTemplate
    keep: (answer: unknown) => Record<string, string> | null
  }
  /** If the registration response lacks the secret. */
  readSecret?: (
    kept: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>>,
  ) => { request: RequestTemplate; secret: (answer: unknown) => string | undefined }
  /** After a 404, it is registered again. */
  update?: (kept: Readonly<Record<string, string>>, endpoint: RegisteredEndpoint) => RequestTemplate
  unregister: (
    kept: Readonly<Record<string, string>>,
    config: Readonly<Record<string, string>>,
  ) => RequestTemplate
  /** The event source: a repository, a team. */
  fields?: readonly { key: string; label: string; hint: string; required: boolean; pattern?: string }[]
  /** With `{url}` and `{secret}`. */
  steps?: readonly string[]
  renewDays?: number
}
