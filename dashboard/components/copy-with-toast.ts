import { copyText } from './copy.tsx'
import { toast } from './toast.tsx'

/** For menu items: the menu closes before it could show a confirmation. */
export async function copyWithToast(text: string, what: string) {
  toast((await copyText(text)) ? `Copied ${what}` : `Could not copy ${what}`)
}
