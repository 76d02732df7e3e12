import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LANGUAGES, type Language } from '../../../../contract/languages.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { type Session, sessionQuery, useSession } from '../../../api/session.ts'
import { CopyId } from '../../../components/copy.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { NameForm } from '../../../components/name-form.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { chooseLanguage, chosenLanguage } from '../../../state/language.ts'
import { chooseTheme, THEMES, type Theme, useTheme } from '../../../state/theme.ts'
import { EmailAddress } from './email-address.tsx'

type Visibility = Session['user']['settings']['defaultProjectVisibility']

const VISIBILITIES: Record<Visibility, string> = {
  team: t`Workspace`,
  private: t`Private`,
}
const THEME_LABELS: Record<Theme, string> = { system: t`System`, light: t`Light`, dark: t`Dark` }

export function AccountPage() {
  const { user } = useSession()
  const theme = useTheme()
  const queries = useQueryClient()
  const update = useMutation({
    mutationFn: (changes: { name?: string; defaultProjectVisibility?: Visibility }) =>
      api.security.updateProfile(changes),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  const visibility = update.isPending ? update.variables.defaultProjectVisibility : undefined
  return (
    <Page title="Profile">
      <Section title="Profile" lead="Shown in member lists, comments and the audit log.">
        <NameForm
          label="Your name"
          name={user.name}
          autoComplete="name"
          onSave={(name) => update.mutateAsync({ name })}
        />
        <p className="flex items-center gap-8 text-13 text-neutral-11">
          User ID <CopyId id={user.id} what="user ID" />
        </p>
      </Section>
      <Section title="Email" lead="For sign-in and account notifications.">
        <EmailAddress />
      </Section>
      <Section title="New projects" lead="Default for projects you create.">
        <div className="max-w-form">
          <Select
            label="Visibility"
            value={visibility ?? user.settings.defaultProjectVisibility}
            onChange={(event) =>
              update.mutate(
                { defaultProjectVisibility: event.target.value as Visibility },
                {
                  onSuccess: () => toast(t`Saved`),
                  onError: (error) => toast(shortMessage(error)),
                },
              )
            }
          >
            {Object.entries(VISIBILITIES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </div>
      </Section>
      <Section
        title="Appearance"
        lead="The theme applies to this browser only, the language also to emails to you."
      >
        <div className="flex max-w-form flex-col gap-16">
          <Select label="Theme" value={theme} onChange={(event) => chooseTheme(event.target.value as Theme)}>
            {THEMES.map((value) => (
              <option key={value} value={value}>
                {THEME_LABELS[value]}
              </option>
            ))}
          </Select>
          <LanguageSelect />
        </div>
      </Section>
    </Page>
  )
}

/** Each language is named in itself, so users find theirs on any page. */
const LanguageSelect = () => (
  <Select
    label="Language"
    hint="API messages and the command line are always in English."
    value={chosenLanguage() ?? ''}
    onChange={(event) => {
      const language = (event.target.value || null) as Language | null
      void chooseLanguage(language, () => api.security.updateProfile({ language }))
    }}
  >
    <option value="">Browser language</option>
    {Object.entries(LANGUAGES).map(([language, name]) => (
      <option key={language} value={language} lang={language}>
        {name}
      </option>
    ))}
  </Select>
)
