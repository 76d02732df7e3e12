import { t } from '../../../contract/text.ts'

export const FIELD_LABELS = {
  text: t`Short text`,
  long_text: t`Long text`,
  number: t`Number`,
  boolean: t`Yes or no`,
  date: t`Date`,
  choice: t`Choice`,
}
