import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderArchive } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { fileApi, linkSettingsQuery } from '../../../api/files.ts'
import { useSession } from '../../../api/session.ts'
import { Empty } from '../../../components/empty.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Section } from '../../../components/section.tsx'
import { toast } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { PublicLinkList } from './public-link-list.tsx'
import { RetentionForm } from './retention-form.tsx'

export function FilesSettingsPage() {
  const { role } = useSession()
  return (
    <Page title="Files and public links">
      {role === 'member' ? (
        <Empty icon={FolderArchive} title="Only owners and admins can view these settings">
          They decide how long deleted files and versions are kept, and see all public links.
        </Empty>
      ) : (
        <>
          <RetentionForm />
          <LinkSetting />
          <PublicLinkList />
        </>
      )}
    </Page>
  )
}

const CREATORS = [
  { value: 'members', label: t`Anyone who can edit the file` },
  { value: 'admins', label: t`Owners and admins` },
  { value: 'nobody', label: t`Nobody` },
] as const

type Creators = (typeof CREATORS)[number]['value']

function LinkSetting() {
  const queryClient = useQueryClient()
  const settings = useQuery(linkSettingsQuery)
  const save = useMutation({
    mutationFn: (allowedFor: Creators) => fileApi.publicLinks.updateSettings({ allowedFor }),
    onSuccess: (saved) => {
      queryClient.setQueryData(linkSettingsQuery.queryKey, saved)
      void queryClient.invalidateQueries({ queryKey: ['files', 'all-public-links'] })
      toast(t`Public link setting saved`)
    },
  })
  return (
    <Section
      title="Public links"
      lead="A public link shows a file or folder to anyone with its URL. Links stop working when their creator loses this permission."
    >
      <FormFailure>{failureMessage(save.error)}</FormFailure>
      <Select
        label="Who can create public links"
        disabled={!settings.data || save.isPending}
        value={save.isPending ? save.variables : (settings.data?.allowedFor ?? 'members')}
        onChange={(event) => save.mutate(event.target.value as Creators)}
      >
        {CREATORS.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </Section>
  )
}
