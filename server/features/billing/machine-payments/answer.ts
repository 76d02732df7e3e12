/** The report of a provider about a payment. `unknown`: it may or may not have been made. */
export type Answer =
  | { kind: 'succeeded'; reference: string; receipt: { reference: string; url: string | null } }
  | { kind: 'processing'; reference: string }
  | { kind: 'failed'; reference: string | null; code: string; message: string }
  | { kind: 'unknown'; reference: string | null; message: string }

/** The report of a provider about a refund. `pending`: it is repeated under the same key. */
export type RefundAnswer =
  | { kind: 'refunded'; reference: string | null }
  | { kind: 'pending'; reference: string | null; message: string }
  | { kind: 'failed'; code: string; message: string }
