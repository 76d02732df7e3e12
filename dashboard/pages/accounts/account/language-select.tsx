import { Select } from '../../../components/forms/select.tsx'
import { chooseLanguage, chosenLanguage, LANGUAGES, type Language } from '../../../state/language.ts'

/** Each option is the name of a language in that language, so that people find theirs in any language of the page. */
export const LanguageSelect = () => (
  <Select
    label="Language"
    hint="Messages of the API, emails and the command line are in English."
    value={chosenLanguage() ?? ''}
    onChange={(event) => chooseLanguage((event.target.value || null) as Language | null)}
  >
    <option value="">Language of the browser</option>
    {Object.entries(LANGUAGES).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </Select>
)
