import{D as e}from"./isArrayLike-Cu-Yp5qu.js";import{$t as t,Cn as n,Fr as r,G as i,It as a,Lr as o,Nt as s,P as c,Pt as l,Rr as u,Sn as d,Tn as f,Vr as p,Yn as m,_n as h,bn as g,d as _,dn as v,fn as y,l as b,ln as x,mn as S,pn as C,wn as w,xt as T,yn as E}from"./client-BiIUGZjB.js";var D=v(),O=e(p(),1),k=r(),A=h(),j=D(`div`,{name:`MuiStack`,slot:`Root`});function M(e){return x({props:e,name:`MuiStack`,defaultTheme:A})}function N(e,t){let n=O.Children.toArray(e).filter(Boolean);return n.reduce((e,r,i)=>(e.push(r),i<n.length-1&&e.push(O.cloneElement(t,{key:`separator-${i}`})),e),[])}var P=e=>({row:`Left`,"row-reverse":`Right`,column:`Top`,"column-reverse":`Bottom`})[e],F=({ownerState:e,theme:t})=>{let r={display:`flex`,flexDirection:`column`,...d({theme:t},w({values:e.direction,breakpoints:t.breakpoints.values}),e=>({flexDirection:e}))};if(e.spacing){let n=E(t),i=Object.keys(t.breakpoints.values).reduce((t,n)=>((typeof e.spacing==`object`&&e.spacing[n]!=null||typeof e.direction==`object`&&e.direction[n]!=null)&&(t[n]=!0),t),{}),a=w({values:e.direction,base:i}),o=w({values:e.spacing,base:i});typeof a==`object`&&Object.keys(a).forEach((e,t,n)=>{if(!a[e]){let r=t>0?a[n[t-1]]:`column`;a[e]=r}}),r=f(r,d({theme:t},o,(t,r)=>e.useFlexGap?{gap:g(n,t)}:{"& > :not(style):not(style)":{margin:0},"& > :not(style) ~ :not(style)":{[`margin${P(r?a[r]:e.direction)}`]:g(n,t)}}))}return r=n(t.breakpoints,r),r};function I(e={}){let{createStyledComponent:n=j,useThemeProps:r=M,componentName:i=`MuiStack`}=e,a=()=>t({root:[`root`]},e=>C(i,e),{}),o=n(F);return O.forwardRef(function(e,t){let{component:n=`div`,direction:i=`column`,spacing:s=0,divider:c,children:l,className:u,useFlexGap:d=!1,...f}=r(e),p={direction:i,spacing:s,useFlexGap:d},m=a();return(0,k.jsx)(o,{as:n,ownerState:p,ref:t,className:S(m.root,u),...f,children:c?N(l,c):l})})}function L(e){return String(e).match(/[\d.\-+]*\s*(.*)/)[1]||``}function R(e){return parseFloat(e)}function z(e){return C(`MuiSkeleton`,e)}y(`MuiSkeleton`,[`root`,`text`,`rectangular`,`rounded`,`circular`,`pulse`,`wave`,`withChildren`,`fitContent`,`heightAuto`]);var B=e=>{let{classes:n,variant:r,animation:i,hasChildren:a,width:o,height:s}=e;return t({root:[`root`,r,i,a&&`withChildren`,a&&!o&&`fitContent`,a&&!s&&`heightAuto`]},z,n)},V=u`
  0% {
    opacity: 1;
  }

  50% {
    opacity: 0.4;
  }

  100% {
    opacity: 1;
  }
`,H=u`
  0% {
    transform: translateX(-100%);
  }

  50% {
    /* +0.5s of delay between each loop */
    transform: translateX(100%);
  }

  100% {
    transform: translateX(100%);
  }
`,U=typeof V==`string`?null:o`
        animation: ${V} 2s ease-in-out 0.5s infinite;
      `,W=typeof H==`string`?null:o`
        &::after {
          animation: ${H} 2s linear 0.5s infinite;
        }
      `,G=a(`span`,{name:`MuiSkeleton`,slot:`Root`,overridesResolver:(e,t)=>{let{ownerState:n}=e;return[t.root,t[n.variant],n.animation!==!1&&t[n.animation],n.hasChildren&&t.withChildren,n.hasChildren&&!n.width&&t.fitContent,n.hasChildren&&!n.height&&t.heightAuto]}})(l(({theme:e})=>{let t=L(e.shape.borderRadius)||`px`,n=R(e.shape.borderRadius),r=T(e,{animation:`none`}),i=T(e,{"&::after":{animation:`none`,display:`none`}});return{display:`block`,backgroundColor:e.vars?e.vars.palette.Skeleton.bg:e.alpha(e.palette.text.primary,e.palette.mode===`light`?.11:.13),height:`1.2em`,variants:[{props:{variant:`text`},style:{marginTop:0,marginBottom:0,height:`auto`,transformOrigin:`0 55%`,transform:`scale(1, 0.60)`,borderRadius:`${n}${t}/${Math.round(n/.6*10)/10}${t}`,"&:empty:before":{content:`"\\00a0"`}}},{props:{variant:`circular`},style:{borderRadius:`50%`}},{props:{variant:`rounded`},style:{borderRadius:(e.vars||e).shape.borderRadius}},{props:({ownerState:e})=>e.hasChildren,style:{"& > *":{visibility:`hidden`}}},{props:({ownerState:e})=>e.hasChildren&&!e.width,style:{maxWidth:`fit-content`}},{props:({ownerState:e})=>e.hasChildren&&!e.height,style:{height:`auto`}},{props:{animation:`pulse`},style:U||{animation:`${V} 2s ease-in-out 0.5s infinite`}},...r?[{props:{animation:`pulse`},style:r}]:[],{props:{animation:`wave`},style:{position:`relative`,overflow:`hidden`,WebkitMaskImage:`-webkit-radial-gradient(white, black)`,"&::after":{background:`linear-gradient(
                90deg,
                transparent,
                ${(e.vars||e).palette.action.hover},
                transparent
              )`,content:`""`,position:`absolute`,transform:`translateX(-100%)`,bottom:0,left:0,right:0,top:0}}},{props:{animation:`wave`},style:W||{"&::after":{animation:`${H} 2s linear 0.5s infinite`}}},...i?[{props:{animation:`wave`},style:i}]:[]]}})),K=O.forwardRef(function(e,t){let n=s({props:e,name:`MuiSkeleton`}),{animation:r=`pulse`,className:i,component:a=`span`,height:o,style:c,variant:l=`text`,width:u,...d}=n,f={...n,animation:r,component:a,variant:l,hasChildren:!!d.children},p=B(f);return(0,k.jsx)(G,{as:a,ref:t,className:S(p.root,i),ownerState:f,...d,style:{width:u,height:o,...c}})}),q=I({createStyledComponent:a(`div`,{name:`MuiStack`,slot:`Root`}),useThemeProps:e=>s({props:e,name:`MuiStack`})});function J({lines:e=6}){let t=m();return(0,k.jsx)(q,{spacing:1,role:`status`,"aria-label":t(`state.loading`),sx:{p:2},children:Array.from({length:e},(e,t)=>(0,k.jsx)(K,{variant:`rounded`,height:36},t))})}function Y({error:e,onAgain:t,title:n}){let r=m(),a=b();return(0,k.jsxs)(k.Fragment,{children:[n!==void 0&&(0,k.jsx)(_,{title:r(n)}),(0,k.jsxs)(i,{severity:`error`,sx:{m:2},action:(0,k.jsx)(c,{color:`inherit`,onClick:t,children:r(`act.again`)}),children:[r(`state.failed`),` `,a(e)]})]})}export{J as n,q as r,Y as t};