/** A value that a person enters. */
export interface Field {
  key: string
  label: string
  required: boolean
  secret?: boolean
  /** Where to find the value. */
  hint?: string
  /** A regular expression that the whole value matches. */
  pattern?: string
  placeholder?: string
  /** The value of a field that is left empty. */
  default?: string
}
