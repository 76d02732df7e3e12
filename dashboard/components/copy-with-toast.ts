import { copyText } from './copy.tsx'
import { toast } from './toast.tsx'

/** For menu items: the menu closes before it could show a confirmation. */
export async function copyWithToast(text: string, noun: string) {
  toast((await copyText(text)) ? `Copied ${noun}` : `Could not copy ${noun}`)
}
