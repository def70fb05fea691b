import '@stowboard/client/elements'
import { createApp, ref } from 'vue'

import { readyAsset } from './ready.js'

const app = createApp({
  setup() {
    const photos = ref([])
    const add = async ({ detail }) => photos.value.push(await readyAsset(detail.id))
    return { photos, add }
  },
  template: `
    <stow-upload address="/upload-address" accept="image/*" multiple @stow-uploaded="add">Add your photos</stow-upload>
    <stow-image v-for="asset in photos" :key="asset.id" :asset.prop="asset" sizes="20rem"></stow-image>
  `,
})
// Or in the options of @vitejs/plugin-vue, where templates are compiled by the build.
app.config.compilerOptions.isCustomElement = (tag) => tag.startsWith('stow-')
app.mount('#app')
