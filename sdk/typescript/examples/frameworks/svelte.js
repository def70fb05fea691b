import { mount } from 'svelte'

import Photos from './Photos.svelte'

mount(Photos, { target: document.querySelector('#app') })
