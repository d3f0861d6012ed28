// The start: the frame, then the page of the address.

import { frame } from './frame.js';
import { listen } from './live.js';
import { show } from './router.js';

frame();
show().then(listen);
