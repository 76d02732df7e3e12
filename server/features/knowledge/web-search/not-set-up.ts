import { conflict } from '../../../errors.ts'

export const HINT =
  'Web search is not set up. An admin can choose a provider in Settings → Web search, and the operator can set ATRIUM_WEB_SEARCH.'

export const notSetUp = () => conflict(HINT)
